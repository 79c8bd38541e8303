package org.azuremail.listmail;

import java.net.URI;
import java.util.Map;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.Mailbox;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.template.TemplateName;
import org.azuremail.template.Templates;

/**
 * The email that welcomes new subscribers, if their list sends one. It counts as email of the list: a link and the
 * headers let its reader unsubscribe.
 *
 * <p>On a list with single opt-in, a stranger can have it sent to any address. Like a confirmation, it therefore
 * repeats nothing that the request contained.
 */
public final class WelcomeMail {

    private WelcomeMail() {}

    /**
     * Returns the content that all welcome emails of a list share, from its templates; the first line of the text is
     * the subject.
     */
    public static MailContent content(ListIdentity list, URI publicUrl, Templates.TemplateSet templates) {
        return ConfirmationMail.content(
                "welcome1",
                list,
                publicUrl,
                templates.get(TemplateName.WELCOME_EMAIL),
                templates.get(TemplateName.WELCOME_TEXT),
                ListMail.headers("welcome-" + list.name(), list, publicUrl));
    }

    /**
     * Returns the email to one person.
     *
     * @param requestKey the key of the time when the person joined; it is the same if this email is sent again
     */
    public static Mail mail(ListIdentity list, URI publicUrl, String requestKey, EmailAddress to, SubscriberGuid guid) {
        return new Mail(
                new Mailbox(to, ""),
                ListMail.messageId(list, "welcome-" + requestKey, to, guid),
                Map.ofEntries(
                        Map.entry("email", to.masked()),
                        Map.entry("unsubscribe", Links.unsubscribe(publicUrl, guid, list.name())),
                        Map.entry("preferences", Links.preferences(publicUrl, guid, list.name()))));
    }
}
