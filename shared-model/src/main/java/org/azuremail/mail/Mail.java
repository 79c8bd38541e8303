package org.azuremail.mail;

import java.util.Map;

/**
 * One mail of a lot.
 *
 * @param to whom it goes to
 * @param messageId the Message-ID without angle brackets: the same whenever this mail to this recipient is made again
 * @param fields the recipient's values by field name
 */
public record Mail(Mailbox to, String messageId, Map<String, String> fields) {

    public Mail {
        fields = Map.copyOf(fields);
    }
}
