package org.azuremail.listmail;

import org.azuremail.list.Brand;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.jspecify.annotations.Nullable;

/**
 * The list that sends an email, as the email describes it.
 *
 * @param description how people know the list; if it is blank, the name is used instead
 * @param replyTo the address for replies; {@code null} for {@code from}
 * @param language a BCP 47 tag, such as {@code en}
 */
public record ListIdentity(
        ListName name,
        String description,
        Mailbox from,
        @Nullable Mailbox replyTo,
        String language,
        Brand brand) {

    public static ListIdentity of(MailingList list) {
        EmailAddress replyTo = list.replyTo();
        return new ListIdentity(
                list.name(),
                list.description(),
                list.from(),
                replyTo == null ? null : new Mailbox(replyTo, ""),
                list.language(),
                list.brand());
    }

    public String address() {
        return brand.address() == null ? "" : brand.address();
    }

    public String title() {
        return description.isBlank() ? name.value() : description.strip();
    }
}
