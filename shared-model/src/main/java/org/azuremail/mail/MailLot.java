package org.azuremail.mail;

import java.util.List;

/**
 * The emails that are passed to one call of a transport.
 *
 * @param mails at least one and at most {@link MailTransport#lotSize()} emails, to distinct addresses
 */
public record MailLot(MailContent content, List<Mail> mails) {

    public MailLot {
        mails = List.copyOf(mails);
        if (mails.isEmpty()) {
            throw new IllegalArgumentException("a lot has at least one mail");
        }
    }
}
