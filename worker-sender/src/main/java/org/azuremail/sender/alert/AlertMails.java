package org.azuremail.sender.alert;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.attention.Cause;
import org.azuremail.content.Escaping;
import org.azuremail.content.Template;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailContent.MailHeader;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.Mailbox;
import org.azuremail.reason.Words;

/** Builds the emails to admins, which name each cause and link to the page that resolves it. */
record AlertMails(ListStore lists, AzureMailProperties product, AlertProperties settings) {

    private static final String SENDER = "AzureMail";

    /** @param at when the mark was written; part of the email's id */
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

    /** Providers accept the addresses of lists. Without a list, only the admin's own address is left. */
    private EmailAddress from(EmailAddress to) {
        return settings.address().orElseGet(() -> lists.active().stream()
                .map(MailingList::from)
                .map(Mailbox::address)
                .findFirst()
                .orElse(to));
    }

    private String subject(List<Cause> causes) {
        return causes.size() == 1
                ? text("alert.subject.one", text(causes.get(0), ".title"))
                : text("alert.subject.several", causes.size());
    }

    private String text(List<Cause> causes) {
        String items = causes.stream()
                .map(cause -> "\n\n* " + text(cause, ".title") + "\n  " + text(cause, ".text") + "\n  "
                        + text(cause, ".fix") + ": " + url(cause.page()))
                .collect(Collectors.joining());
        return text("alert.intro", url("")) + items + "\n\n-- \n" + text("alert.footer", url("/account")) + "\n";
    }

    private String html(List<Cause> causes) {
        String items = causes.stream()
                .map(cause -> "<p><strong>" + escaped(text(cause, ".title")) + "</strong><br>"
                        + escaped(text(cause, ".text"))
                        + "<br><a href=\"" + escaped(url(cause.page())) + "\">"
                        + escaped(text(cause, ".fix")) + "</a></p>")
                .collect(Collectors.joining());
        return "<!DOCTYPE html><html lang=\"en\"><body><p>" + escaped(text("alert.intro", url("")))
                + "</p>" + items + "<p><small>" + escaped(text("alert.footer", url("/account")))
                + "</small></p></body></html>";
    }

    private String text(String key, Object... values) {
        return Words.of(product.zone(), key, List.of(values));
    }

    private String text(Cause cause, String part) {
        return cause.words(product.zone(), part);
    }

    private static String escaped(String text) {
        return Escaping.HTML.apply(text);
    }

    private String url(String path) {
        return product.publicUrl() + path;
    }
}
