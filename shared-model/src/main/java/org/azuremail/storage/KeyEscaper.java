package org.azuremail.storage;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Turns any text into a table key. ASCII letters, digits and {@code @ _ - .} are kept. Every other byte of the UTF-8
 * form becomes {@code =XX}, in hexadecimal. An escaped prefix is the prefix of the escaped text, so prefix queries
 * work. Keys are plain ASCII, so both back ends sort them alike.
 *
 * <p>Azure forbids {@code / \ # ?} and control characters in keys. Some clients are known to mishandle {@code %} and
 * {@code +}. Azurite accepts at most 512 characters.
 *
 * @see <a href="https://learn.microsoft.com/rest/api/storageservices/understanding-the-table-service-data-model">Azure
 *     table service data model</a>
 */
public final class KeyEscaper {

    /** The longest key, in characters. */
    public static final int MAX_KEY_LENGTH = 512;

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private KeyEscaper() {}

    /** Escapes a text for use inside a key. Dots are not escaped. */
    public static String escape(String text) {
        if (isPlain(text)) {
            return text;
        }
        StringBuilder key = new StringBuilder(text.length() + 8);
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (plain(b)) {
                key.append((char) b);
            } else {
                key.append('=').append(HEX.toHexDigits(b));
            }
        }
        return key.toString();
    }

    /**
     * Returns the text that was escaped.
     *
     * @throws IllegalArgumentException if the key contains a broken escape
     */
    public static String unescape(String key) {
        byte[] bytes = new byte[key.length()];
        int length = 0;
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            if (c == '=') {
                if (i + 2 >= key.length()) {
                    throw new IllegalArgumentException("broken escape at the end of key " + key);
                }
                bytes[length++] = (byte) Integer.parseInt(key, i + 1, i + 3, 16);
                i += 2;
            } else {
                bytes[length++] = (byte) c;
            }
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    /**
     * Returns a key after checking that every back end accepts it.
     *
     * @throws IllegalArgumentException if it is empty, too long or contains a forbidden character
     */
    public static String requireKey(String key) {
        if (key.isEmpty() || key.length() > MAX_KEY_LENGTH) {
            throw new IllegalArgumentException("a key has 1 to " + MAX_KEY_LENGTH + " characters, not " + key.length());
        }
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            if (c <= ' ' || c > '~' || c == '/' || c == '\\' || c == '#' || c == '?' || c == '%') {
                throw new IllegalArgumentException("forbidden character in key at " + i + ": " + escape(key));
            }
        }
        return key;
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!plain(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** @param c a character, or one byte of the UTF-8 form of a character */
    private static boolean plain(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '@'
                || c == '_'
                || c == '-'
                || c == '.';
    }
}
