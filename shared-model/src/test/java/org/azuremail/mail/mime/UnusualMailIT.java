package org.azuremail.mail.mime;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import org.azuremail.content.Escaping;
import org.azuremail.content.Template;
import org.azuremail.list.Brand;
import org.azuremail.list.ListName;
import org.azuremail.listmail.ListIdentity;
import org.azuremail.listmail.ListMail;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailContent.MailHeader;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.MergedMail;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.template.ProductTemplates;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks unusual emails by reading them with a parser that is not ours. */
class UnusualMailIT {

    private static final int MAILS = 2_500;
    private static final int LONGEST_LINE = 998;
    private static final Instant DATE = Instant.parse("2026-11-22T12:00:00Z");
    private static final SubscriberGuid GUID = new SubscriberGuid("3." + "a".repeat(22));
    private static final URI URL = URI.create("https://lists.example.org");

    /** Pieces of text that have broken software before. */
    private static final List<String> BITS = List.of(
            "",
            " ",
            "  ",
            "\t",
            "\r",
            "\n",
            "\r\n",
            "\n.\n",
            "\r\n.\r\n",
            ".",
            "..",
            "From ",
            "\nFrom x",
            "--",
            "\n--",
            "--=_azuremail_",
            "=",
            "==",
            "=?",
            "?=",
            "=?UTF-8?B?eA==?=",
            "=?utf-8?q?x?= =?utf-8?q?y?=",
            "=20",
            "=\n",
            "= \n",
            "\\",
            "\"",
            "\"\"",
            "<",
            ">",
            "<a@b.test>",
            ",",
            ";",
            ":",
            "(",
            ")",
            "[",
            "]",
            "@",
            "%",
            "{{",
            "}}",
            "{{name}}",
            "{",
            "}",
            "&",
            "&amp;",
            "'",
            "\u00e9",
            "\u00df",
            "\u0130",
            "\u2028",
            "\u2029",
            "\u0085",
            "\u00a0",
            "\u00ad",
            "\u200b",
            "\u200f",
            "\u202e",
            "\ufeff",
            "\uff20",
            "\u3042",
            "\ud83d\ude00",
            "\ud83d\udc69\u200d\ud83d\udcbb",
            "e\u0301",
            "\uffff",
            "x",
            "word",
            "Bcc: x@y.test",
            "\r\nBcc: x@y.test",
            "\nContent-Type: text/html\n\n",
            "a".repeat(77),
            "b".repeat(998),
            "c".repeat(5000),
            " ".repeat(1200),
            "\u00e9".repeat(600),
            "\ud83d\ude00".repeat(300),
            "\"".repeat(950),
            "d ".repeat(600),
            "\t\t",
            "~",
            "\u007f",
            "\u0001");

    private final Random random = new Random(8058);

    @Test
    void everyPartDecodesToWhatWentIn() throws Exception {
        for (int i = 0; i < MAILS; i++) {
            MailContent content = content(i);
            Mail mail = mail(i);
            check(content, mail, new MimeTemplate(content).merge(mail, DATE));
        }
    }

    /** Each control character occurs in each place where a value is merged. */
    @Test
    void everyControlCharacterIsSafeInAValue() throws Exception {
        for (char c = 0; c < 0xA0; c++) {
            String value = "a" + c + "b" + c + c + "Bcc: x@y.test" + c;
            MailContent content = ListMail.content(
                    "7.1",
                    list("News" + c),
                    "S {{x}} {{name}} {{list}}",
                    "<p>{{x}} {{name}}</p>",
                    "{{x}} {{name}} {{unsubscribe}}",
                    URL,
                    ProductTemplates.CHOSEN);
            Mail mail = ListMail.mail(
                    list("News" + c), URL, "7", new EmailAddress("a@x.test"), value, GUID, Map.of("x", value));
            check(content, mail, new MimeTemplate(content).merge(mail, DATE));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"a b\"@x.test",
                "\"a  \\\" <b>, c\"@x.test",
                "\"a@b\"@x.test",
                "o'neil+tag=x@x.test",
                "!#$%&'*+-/=?^_`{|}~@x.test"
            })
    void oddAddressComesThrough(String text) throws Exception {
        EmailAddress address = EmailAddress.parse(text).orElseThrow();
        for (String name : List.of("", "Ann", "\u00c4nn, \"the\" <first>")) {
            MailContent content = content(0);
            Mail mail = new Mail(new Mailbox(address, name), "1@x.test", Map.of());
            check(content, mail, new MimeTemplate(content).merge(mail, DATE));
        }
    }

    private MailContent content(int i) {
        return new MailContent(
                "content-" + i,
                new Mailbox(new EmailAddress("news@example.org"), name()),
                random.nextBoolean() ? null : new Mailbox(new EmailAddress("answers@example.org"), name()),
                Template.parse(Escaping.ONE_LINE.apply(some()) + "{{a}} {{b|x}}"),
                template(some()),
                template(some()),
                List.of(
                        new MailHeader("List-Unsubscribe", Template.parse("<https://x.test/?id={{id}}>")),
                        new MailHeader("X-Phrase", Template.literal(EncodedWords.phrase(some())))));
    }

    private Mail mail(int i) {
        Map<String, String> values = new HashMap<>();
        values.put("id", "0123456789");
        values.put("a", some());
        values.put("b", some());
        return new Mail(new Mailbox(new EmailAddress("p" + i + "@example.org"), name()), i + "@example.org", values);
    }

    private Template template(String literal) {
        return new Template(List.of(
                new Template.Literal(literal),
                new Template.Field("a", some()),
                new Template.Literal(some()),
                new Template.Field("b", "")));
    }

    private String some() {
        StringBuilder text = new StringBuilder();
        for (int n = random.nextInt(7); n > 0; n--) {
            text.append(BITS.get(random.nextInt(BITS.size())));
        }
        // At the boundary between two pieces, CR and LF are two line breaks.
        return text.append(text.toString().endsWith("\r") ? "." : "").toString();
    }

    /** Returns a name of at most the length that lists and subscribers may have. */
    private String name() {
        String name = Escaping.ONE_LINE.apply(some()).strip();
        return name.length() > 200 ? "" : name;
    }

    private static ListIdentity list(String description) {
        return new ListIdentity(
                new ListName("news"),
                description,
                new Mailbox(new EmailAddress("news@example.org"), ""),
                null,
                "en",
                Brand.NONE);
    }

    private static void check(MailContent content, Mail mail, byte[] bytes) throws Exception {
        assertLines(bytes);
        MimeMessage parsed = new MimeMessage(Session.getInstance(new Properties()), new ByteArrayInputStream(bytes));
        MergedMail merged = MergedMail.of(content, mail);

        assertThat(shown(parsed.getSubject())).isEqualTo(shown(merged.subject()));
        assertThat(parsed.getHeader("Bcc")).isNull();
        assertThat(parsed.getHeader("To")).hasSize(1);
        InternetAddress to = (InternetAddress) parsed.getRecipients(MimeMessage.RecipientType.TO)[0];
        assertThat(parsed.getRecipients(MimeMessage.RecipientType.TO)).hasSize(1);
        assertThat(to.getAddress()).isEqualTo(mail.to().address().value());
        assertThat(shown(to.getPersonal())).isEqualTo(shown(mail.to().name()));
        InternetAddress from = (InternetAddress) parsed.getFrom()[0];
        assertThat(shown(from.getPersonal())).isEqualTo(shown(content.from().name()));
        MimeMultipart parts = (MimeMultipart) parsed.getContent();
        assertThat(parts.getCount()).isEqualTo(2);
        assertThat(parts.getBodyPart(0).getContent()).isEqualTo(lines(merged.text()));
        assertThat(parts.getBodyPart(1).getContent()).isEqualTo(lines(merged.html()));
    }

    private static void assertLines(byte[] bytes) {
        String raw = new String(bytes, StandardCharsets.ISO_8859_1);
        assertThat(raw.replace("\r\n", "")).doesNotContain("\r").doesNotContain("\n");
        assertThat(raw.chars().allMatch(c -> c == '\r' || c == '\n' || c == '\t' || (c >= ' ' && c < 127)))
                .isTrue();
        String[] lines = raw.split("\r\n", -1);
        for (String line : lines) {
            assertThat(line.length()).isLessThanOrEqualTo(LONGEST_LINE);
        }
        String headers = raw.substring(0, raw.indexOf("\r\n\r\n"));
        assertThat(headers.split("\r\n")).noneMatch(String::isBlank);
    }

    /** Normalises a header: it has no blanks at the ends, and folding loses the number of adjacent blanks. */
    private static String shown(String text) {
        return text == null ? "" : text.replaceAll(" +", " ").strip();
    }

    private static String lines(String text) {
        return text.replaceAll("\r\n|\r|\n", "\r\n");
    }
}
