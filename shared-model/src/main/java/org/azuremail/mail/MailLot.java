package org.azuremail.mail;

import java.util.List;

/**
 * The emails that one call of a transport carries.
 *
 * @param mails at least one, to distinct addresses, at most {@link MailTransport#lotSize()}
 */
public record MailLot(MailContent content, List<Mail> mails) {

    public MailLot {
        mails = List.copyOf(mails);
        if (mails.isEmpty()) {
            throw new IllegalArgumentException("a lot has at least one mail");
        }
    }
}
