package org.azuremail.listmail;

import org.azuremail.list.Brand;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.jspecify.annotations.Nullable;

/**
 * The list that an email comes from, as the email describes it.
 *
 * @param description how people know the list; may be blank, then the name stands for it
 * @param replyTo where answers go; {@code null} means to {@code from}
 * @param language a BCP 47 tag, as {@code en}
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

    /** The postal address of the sender; may be empty. */
    public String address() {
        return brand.address() == null ? "" : brand.address();
    }

    public String title() {
        return description.isBlank() ? name.value() : description.strip();
    }
}
