package org.azuremail.mail;

import java.util.List;
import org.springframework.util.Assert;

/**
 * The emails that are passed to one call of a transport.
 *
 * @param mails at least one and at most {@link MailTransport#lotSize()} emails, to distinct addresses
 */
public record MailLot(MailContent content, List<Mail> mails) {

    public MailLot {
        mails = List.copyOf(mails);
        Assert.isTrue(!mails.isEmpty(), "a lot has at least one mail");
    }
}
