package org.azuremail.subscription.transfer;

import org.jspecify.annotations.Nullable;

/**
 * The file of an import.
 *
 * @param content its hash; {@code null} of an import that an older version started
 * @param name at its source, at most 200 characters; empty if unknown
 * @param chosen whether the encoding was given and not detected
 */
public record ImportFile(@Nullable String content, String name, FileEncoding encoding, boolean chosen) {

    private static final int LONGEST_NAME = 200;

    public ImportFile {
        String line = name.replaceAll("\\p{Cntrl}+", " ").strip();
        name = line.length() > LONGEST_NAME ? line.substring(0, LONGEST_NAME) : line;
    }
}
