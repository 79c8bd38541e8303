package org.azuremail.storage;

/**
 * The address of a row. Both parts are 1 to 512 ASCII characters without {@code / \ # ? %}, spaces and control characters;
 * {@link KeyEscaper} makes such keys of any text.
 */
public record Key(String partition, String row) {

    public Key {
        KeyEscaper.requireKey(partition);
        KeyEscaper.requireKey(row);
    }
}
