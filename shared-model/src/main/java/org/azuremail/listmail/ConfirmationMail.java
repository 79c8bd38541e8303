package org.azuremail.listmail;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.azuremail.content.Template;
import org.azuremail.list.Brand;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailContent.MailHeader;
import org.azuremail.mail.Mailbox;
import org.azuremail.subscription.ConfirmationSeals.ConfirmationLink;
import org.azuremail.template.CompiledTemplate;
import org.azuremail.template.TemplateName;
import org.azuremail.template.Templates;

/**
 * The email that asks a person to confirm joining a list. It says that nothing happens without an answer. It contains
 * no advertising, and no unsubscribe link, because an unconfirmed subscriber cannot unsubscribe.
 *
 * <p>Anyone can have it sent to any address. It therefore repeats nothing of the request: no name, and only as much of
 * the address as its owner needs to recognise it.
 */
public final class ConfirmationMail {

    private ConfirmationMail() {}

    /**
     * Returns the content that all confirmations of a list share, from its templates; the first line of the text is the
     * subject.
     */
    public static MailContent content(ListIdentity list, URI publicUrl, Templates.TemplateSet templates) {
        return content(
                "confirm4",
                list,
                publicUrl,
                templates.get(TemplateName.CONFIRMATION_EMAIL),
                templates.get(TemplateName.CONFIRMATION_TEXT),
                List.of());
    }

    static MailContent content(
            String kind,
            ListIdentity list,
            URI publicUrl,
            CompiledTemplate htmlTemplate,
            CompiledTemplate textTemplate,
            List<MailHeader> more) {
        Map<String, Object> values = values(list, publicUrl);
        Template html = htmlTemplate.template(values);
        Template text = textTemplate.template(values);
        List<Template.Part> subject = new ArrayList<>();
        List<Template.Part> body = new ArrayList<>();
        divide(text.parts(), subject, body);
        List<MailHeader> headers = new ArrayList<>(more);
        headers.add(ListMail.literal("Auto-Submitted", "auto-generated"));
        return new MailContent(
                kind + "-" + list.name() + "-" + ListMail.fingerprint(list, publicUrl, html, text),
                list.from(),
                list.replyTo(),
                new Template(subject),
                html,
                new Template(body),
                headers);
    }

    /** Divides the parts at the end of the first line. */
    private static void divide(List<Template.Part> parts, List<Template.Part> subject, List<Template.Part> body) {
        boolean first = true;
        for (Template.Part part : parts) {
            int end = first && part instanceof Template.Literal literal
                    ? literal.text().indexOf('\n')
                    : -1;
            if (end < 0) {
                (first ? subject : body).add(part);
                continue;
            }
            String text = ((Template.Literal) part).text();
            subject.add(new Template.Literal(text.substring(0, end)));
            body.add(new Template.Literal(text.substring(end).stripLeading()));
            first = false;
        }
        Template.Literal begin = (Template.Literal) subject.get(0);
        subject.set(0, new Template.Literal(begin.text().substring(TemplateName.SUBJECT.length())));
    }

    /**
     * Returns the values of the list in its confirmations and welcome emails; the list's frame uses some of them, too.
     */
    public static Map<String, Object> values(ListIdentity list, URI publicUrl) {
        Brand brand = list.brand();
        return Map.ofEntries(
                Map.entry("list", list.title()),
                Map.entry("language", list.language()),
                Map.entry("logo", brand.logo() == null ? "" : Links.logo(publicUrl, brand.logo())),
                Map.entry("color", brand.buttonColor()),
                Map.entry("text-color", brand.textColor()),
                Map.entry("list-address", list.address()));
    }

    /**
     * Returns the email to one person.
     *
     * @param requestKey the key of the request. It is the same if this email is created again, and another one if the
     *     person asks again, because mail programs hide a second email with a known Message-ID
     */
    public static Mail mail(
            ListIdentity list, URI publicUrl, String requestKey, EmailAddress to, ConfirmationLink link) {
        return new Mail(
                new Mailbox(to, ""),
                ListMail.messageId(list, "confirm-" + requestKey, to, link.guid()),
                Map.of("email", to.masked(), "confirm", Links.confirm(publicUrl, link, list.name())));
    }
}
