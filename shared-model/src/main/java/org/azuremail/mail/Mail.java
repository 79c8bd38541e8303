package org.azuremail.mail;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One mail of a lot.
 *
 * @param messageId the Message-ID without angle brackets: the same whenever this mail to this recipient is made again
 * @param fields the recipient's values by field name
 * @param handle names this email to a provider that tells of it later; {@code null} for one that nobody is told of
 * @param returnPath where it goes back to; {@code null} for the From address
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
