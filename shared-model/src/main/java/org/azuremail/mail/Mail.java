package org.azuremail.mail;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One email of a lot.
 *
 * @param messageId the Message-ID without angle brackets; it is the same if this email is created again for the same
 *     recipient
 * @param fields the recipient's values by field name
 * @param handle the name of this email in a provider's later reports; {@code null} if there are none
 * @param returnPath the address for bounces; {@code null} for the From address
 */
public record Mail(
        Mailbox to,
        String messageId,
        Map<String, String> fields,
        @Nullable String handle,
        @Nullable String returnPath) {

    public Mail {
        fields = Map.copyOf(fields);
    }

    public Mail(Mailbox to, String messageId, Map<String, String> fields) {
        this(to, messageId, fields, null, null);
    }

    public Mail with(String field, String value) {
        Map<String, String> more = new HashMap<>(fields);
        more.put(field, value);
        return new Mail(to, messageId, more, handle, returnPath);
    }

    public Mail named(String newHandle, @Nullable String newReturnPath) {
        return new Mail(to, messageId, fields, newHandle, newReturnPath);
    }
}
