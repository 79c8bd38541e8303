package org.azuremail.storage.azure;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The text of an item on the wire: Base64 of its UTF-8, as other programs expect it, since a message is XML. The client
 * library could do the same, but it loses or breaks off at a message that somebody else put there in another form.
 */
final class QueueText {

    private QueueText() {}

    static String encode(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Decodes text that was encoded; anything else comes through as it is, for its reader to refuse. */
    static String decode(String wire) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(wire));
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (IllegalArgumentException | CharacterCodingException notOurs) {
            return wire;
        }
    }
}
