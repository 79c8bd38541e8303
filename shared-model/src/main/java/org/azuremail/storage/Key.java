package org.azuremail.storage;

/**
 * The address of a row. Both parts are 1 to 512 ASCII characters without {@code / \ # ? %}, spaces or control
 * characters. {@link KeyEscaper} turns any text into such a key.
 */
public record Key(String partition, String row) {

    public Key {
        KeyEscaper.requireKey(partition);
        KeyEscaper.requireKey(row);
    }
}
