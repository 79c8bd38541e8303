package org.azuremail.sender.alert;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.attention.AttentionWords;
import org.azuremail.attention.Cause;
import org.azuremail.content.Escaping;
import org.azuremail.content.Template;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailHeader;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.Mailbox;

/** The emails to admins: each cause, and a link to the page that resolves it. */
record AlertMails(ListStore lists, AzureMailProperties product, AlertProperties settings) {

    private static final String SENDER = "AzureMail";

    /** @param at when the mark was written: names the email */
    MailLot lot(EmailAddress to, List<Cause> causes, Instant at) {
        Mailbox from = new Mailbox(from(to), SENDER);
        String id = "alert." + at.toEpochMilli() + "."
                + Integer.toHexString(to.folded().hashCode());
        MailContent content = new MailContent(
                id,
                from,
                null,
                Template.literal(Escaping.ONE_LINE.apply(subject(causes))),
                Template.literal(html(causes)),
                Template.literal(text(causes)),
                List.of(new MailHeader("Auto-Submitted", Template.literal("auto-generated"))));
        String messageId = id + "@" + from.address().domain();
        return new MailLot(content, List.of(new Mail(new Mailbox(to, ""), messageId, Map.of())));
    }

    /** Providers know the addresses of lists; without a list there is only the admin's own. */
    private EmailAddress from(EmailAddress to) {
        return settings.address().orElseGet(() -> lists.all().stream()
                .filter(list -> !list.deleting())
                .map(MailingList::from)
                .map(Mailbox::address)
                .findFirst()
                .orElse(to));
    }

    private static String subject(List<Cause> causes) {
        return causes.size() == 1
                ? AttentionWords.of("alert.subject.one", title(causes.get(0)))
                : AttentionWords.of("alert.subject.several", causes.size());
    }

    private String text(List<Cause> causes) {
        StringBuilder text = new StringBuilder(AttentionWords.of("alert.intro", url("")));
        for (Cause cause : causes) {
            text.append("\n\n* ")
                    .append(title(cause))
                    .append("\n  ")
                    .append(AttentionWords.of(cause, ".text"))
                    .append("\n  ")
                    .append(AttentionWords.of(cause, ".fix"))
                    .append(": ")
                    .append(url(cause.page()));
        }
        return text.append("\n\n-- \n")
                .append(AttentionWords.of("alert.footer", url("/account")))
                .append('\n')
                .toString();
    }

    private String html(List<Cause> causes) {
        StringBuilder html = new StringBuilder("<!DOCTYPE html><html lang=\"en\"><body>");
        html.append("<p>")
                .append(escaped(AttentionWords.of("alert.intro", url(""))))
                .append("</p>");
        for (Cause cause : causes) {
            html.append("<p><strong>")
                    .append(escaped(title(cause)))
                    .append("</strong><br>")
                    .append(escaped(AttentionWords.of(cause, ".text")))
                    .append("<br><a href=\"")
                    .append(escaped(url(cause.page())))
                    .append("\">")
                    .append(escaped(AttentionWords.of(cause, ".fix")))
                    .append("</a></p>");
        }
        return html.append("<p><small>")
                .append(escaped(AttentionWords.of("alert.footer", url("/account"))))
                .append("</small></p></body></html>")
                .toString();
    }

    private static String title(Cause cause) {
        return AttentionWords.of(cause, ".title");
    }

    private static String escaped(String text) {
        return Escaping.HTML.apply(text);
    }

    private String url(String path) {
        URI url = product.publicUrl();
        return url + path;
    }
}
