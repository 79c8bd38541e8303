package org.azuremail.message;

import org.azuremail.id.AsciiWord;

/** The outcome of a message for one recipient. Each recipient counted at fan-out has exactly one in the end. */
public enum Outcome {
    /** Nobody knows whether the provider took the mail. */
    UNKNOWN("Unknown"),
    /** Deliberately not mailed: left since fan-out, or the message was cancelled. */
    SKIPPED("Skipped"),
    /** Refused for good, with the provider's reason. */
    FAILED("Failed"),
    /** Taken by the provider. */
    SENT("Sent");

    private final String stored;

    Outcome(String stored) {
        this.stored = stored;
    }

    /** The word in the table, on pages and in the API. */
    public String stored() {
        return stored;
    }

    /** @throws IllegalArgumentException when no outcome is stored under this word */
    public static Outcome of(String stored) {
        for (Outcome outcome : values()) {
            if (AsciiWord.same(outcome.stored, stored)) {
                return outcome;
            }
        }
        throw new IllegalArgumentException("no outcome " + stored);
    }
}
