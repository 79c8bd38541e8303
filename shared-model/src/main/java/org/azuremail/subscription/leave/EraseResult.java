package org.azuremail.subscription.leave;

/** The result of an erasure. */
public enum EraseResult {
    /** Every row is gone. */
    ERASED,
    /** The person has left; the rows go as soon as no message of the list needs them. */
    SCHEDULED,
    /** There was nobody. */
    MISSING
}
