package org.azuremail.listmail;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.azuremail.content.Escaping;
import org.azuremail.content.Template;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.Mailbox;
import org.azuremail.subscription.confirmation.ConfirmationLink;
import org.azuremail.subscription.subscriber.MaskedAddress;

/**
 * The mail that asks whether somebody wants to be on a list. It says what happens without an answer, namely nothing,
 * advertises nothing and holds no unsubscribe link: a subscriber who has not confirmed has nothing to leave.
 *
 * <p>Anybody can have it mailed to anybody. So it carries no word of the request: no name, and of the address only as much as
 * its owner needs to recognise it.
 */
public final class ConfirmationMail {

    private ConfirmationMail() {}

    /** What all confirmations of a list share. */
    public static MailContent content(ListIdentity list, URI publicUrl) {
        String title = Escaping.ONE_LINE.apply(list.title());
        return new MailContent(
                "confirm2-" + list.name() + "-" + Fingerprint.of(list, publicUrl),
                list.from(),
                list.replyTo(),
                Template.literal("Subscribe to " + title),
                html(Escaping.HTML.apply(title), Escaping.HTML.apply(list.language())),
                text(title),
                List.of(ListMail.literal("Auto-Submitted", "auto-generated")));
    }

    /**
     * One person's mail.
     *
     * @param requestKey names the request: the same whenever this mail is made again, another when the person asks
     *     again, because mail programs hide a second mail with a Message-ID that they have seen
     */
    public static Mail mail(
            ListIdentity list, URI publicUrl, String requestKey, EmailAddress to, ConfirmationLink link) {
        return new Mail(
                new Mailbox(to, ""),
                ListMail.messageId(list, "confirm-" + requestKey, to, link.guid()),
                Map.of("email", MaskedAddress.of(to).value(), "confirm", Links.confirm(publicUrl, link, list.name())));
    }

    private static Template html(String title, String language) {
        return new Template(List.of(
                new Template.Literal("<!DOCTYPE html>\n<html lang=\"" + language + "\">\n<head><meta charset=\"utf-8\">"
                        + "<title>Subscribe to " + title + "</title></head>\n<body>\n<p>We were asked to put "),
                new Template.Field("email", ""),
                new Template.Literal(" on the mailing list <strong>" + title + "</strong>.</p>\n"
                        + "<p>If that was you, open this page and click its button:</p>\n<p><a href=\""),
                new Template.Field("confirm", ""),
                new Template.Literal("\">Confirm the subscription</a></p>\n"
                        + "<p>Without your confirmation there is no subscription, and this list sends you nothing. "
                        + "If you did not ask for it, you need not do anything.</p>\n</body>\n</html>\n")));
    }

    private static Template text(String title) {
        return new Template(List.of(
                new Template.Literal("We were asked to put "),
                new Template.Field("email", ""),
                new Template.Literal(" on the mailing list \"" + title + "\".\n\n"
                        + "If that was you, open this page and click its button:\n\n"),
                new Template.Field("confirm", ""),
                new Template.Literal("\n\nWithout your confirmation there is no subscription, and this list sends you\n"
                        + "nothing. If you did not ask for it, you need not do anything.\n")));
    }
}
