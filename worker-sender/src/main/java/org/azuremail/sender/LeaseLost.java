package org.azuremail.sender;

/** Somebody else holds the range now: whatever is left to do is theirs. */
final class LeaseLost extends RuntimeException {

    LeaseLost(String range) {
        super("range " + range + " is held by somebody else", null, false, false);
    }
}
