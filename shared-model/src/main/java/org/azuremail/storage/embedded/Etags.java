package org.azuremail.storage.embedded;

/** ETags are numbers of the file's sequence. */
final class Etags {

    /** No version ever has this number. */
    private static final long NEVER = -1;

    private Etags() {}

    static String text(long number) {
        return Long.toString(number);
    }

    /** The number of an ETag; one that was never ours matches nothing. */
    static long number(String etag) {
        try {
            return Long.parseLong(etag);
        } catch (NumberFormatException e) {
            return NEVER;
        }
    }
}
