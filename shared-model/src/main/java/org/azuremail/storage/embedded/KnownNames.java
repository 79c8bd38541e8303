package org.azuremail.storage.embedded;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Names of properties, of which there are few and each in every row: read from bytes without a new text each time. A place
 * keeps the name that came last. Safe for use from many threads.
 */
final class KnownNames {

    private static final int PLACES = 512;

    private final AtomicReferenceArray<String> names = new AtomicReferenceArray<>(PLACES);

    /** The name that these bytes are, in UTF-8. */
    String get(byte[] bytes, int from, int length) {
        int place = place(bytes, from, length);
        String known = names.get(place);
        if (known != null && is(known, bytes, from, length)) {
            return known;
        }
        String name = new String(bytes, from, length, StandardCharsets.UTF_8);
        names.set(place, name);
        return name;
    }

    private static int place(byte[] bytes, int from, int length) {
        int hash = length;
        for (int i = from; i < from + length; i++) {
            hash = 31 * hash + bytes[i];
        }
        return (hash ^ hash >>> 16) & PLACES - 1;
    }

    /** A byte of a letter outside ASCII is negative and like no character. */
    private static boolean is(String name, byte[] bytes, int from, int length) {
        if (name.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (name.charAt(i) != bytes[from + i]) {
                return false;
            }
        }
        return true;
    }
}
