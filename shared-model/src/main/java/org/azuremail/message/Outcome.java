package org.azuremail.message;

import org.azuremail.id.AsciiWord;

/** The outcome of a message for one recipient. Each recipient counted at fan-out has exactly one in the end. */
public enum Outcome {
    /** It is not known whether the provider took the email. */
    UNKNOWN("Unknown"),
    /** Deliberately not emailed: the person left since fan-out, or the message was cancelled. */
    SKIPPED("Skipped"),
    /** Refused permanently, with the provider's reason. */
    FAILED("Failed"),
    /** Taken by the provider. */
    SENT("Sent");

    private final String stored;

    Outcome(String stored) {
        this.stored = stored;
    }

    /** Returns the word in the table, on pages and in the API. */
    public String stored() {
        return stored;
    }

    /** @throws IllegalArgumentException when no outcome is stored as this word */
    public static Outcome of(String stored) {
        for (Outcome outcome : values()) {
            if (AsciiWord.same(outcome.stored, stored)) {
                return outcome;
            }
        }
        throw new IllegalArgumentException("no outcome " + stored);
    }
}
