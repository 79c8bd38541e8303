package org.azuremail.mail;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.azuremail.content.Template;
import org.azuremail.mail.MailContent.MailHeader;
import org.jspecify.annotations.Nullable;

/** Contents and emails for tests. */
public final class TestMails {

    private TestMails() {}

    public static MailContent content(String id, String subject, String html, String text, MailHeader... headers) {
        return content(id, mailbox("news@contoso.edu", "Contoso"), null, subject, html, text, headers);
    }

    public static MailContent content(
            String id,
            Mailbox from,
            @Nullable Mailbox replyTo,
            String subject,
            String html,
            String text,
            MailHeader... headers) {
        return new MailContent(
                id,
                from,
                replyTo,
                Template.parse(subject),
                Template.parseHtml(html),
                Template.parse(text),
                List.of(headers));
    }

    public static MailHeader header(String name, String value) {
        return new MailHeader(name, Template.parse(value));
    }

    public static MailHeader literal(String name, String value) {
        return new MailHeader(name, Template.literal(value));
    }

    public static Mailbox mailbox(String address, String name) {
        return new Mailbox(new EmailAddress(address), name);
    }

    public static Mail mail(String address, String name, Map<String, String> fields) {
        return new Mail(mailbox(address, name), Integer.toHexString(address.hashCode()) + "@contoso.edu", fields);
    }

    /** Returns emails to {@code u0000001@bench.test} and the addresses with the next numbers. */
    public static List<Mail> mails(int count) {
        return mails(1, count);
    }

    public static List<Mail> mails(int first, int count) {
        return IntStream.range(first, first + count).mapToObj(TestMails::mail).toList();
    }

    private static Mail mail(int number) {
        String address = String.format("u%07d@bench.test", number);
        return mail(
                address,
                "User " + number,
                Map.of(
                        "name",
                        "User " + number,
                        "email",
                        address,
                        "city",
                        "Town " + number % 100,
                        "unsubscribe",
                        "https://l.example/unsubscribe?id=1.0123456789012345678901&listName=bench"));
    }
}
