package org.azuremail.mail.mime;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.ByteArrayInputStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MergedMail;
import org.azuremail.mail.TestMails;
import org.junit.jupiter.api.Test;

/** Checks our MIME messages by reading them with Jakarta Mail. */
class MimeTemplateTest {

    private static final Instant NOW = Instant.parse("2026-11-01T04:05:06Z");

    @Test
    void theMailIsTextAndHtmlInThisOrder() throws Exception {
        MimeMessage read = read(
                TestMails.content("1", "Hello {{name}}", "<p>Dear {{name}}</p>\n", "Dear {{name}}\n"),
                TestMails.mail("ann@domain.com", "Ann", Map.of("name", "Ann <\"O\">")));

        assertThat(read.getContentType()).startsWith("multipart/alternative");
        assertThat(partType(read, 0)).isEqualToIgnoringCase("text/plain; charset=UTF-8");
        assertThat(partType(read, 1)).isEqualToIgnoringCase("text/html; charset=UTF-8");
        assertThat(part(read, 0)).isEqualTo("Dear Ann <\"O\">\r\n");
        assertThat(part(read, 1)).isEqualTo("<p>Dear Ann &lt;&quot;O&quot;&gt;</p>\r\n");
        assertThat(read.getSubject()).isEqualTo("Hello Ann <\"O\">");
        assertThat(read.getSentDate()).isEqualTo(NOW);
        assertThat(read.getHeader("Date")).containsExactly("Sun, 1 Nov 2026 04:05:06 +0000");
        assertThat(read.getMessageID()).matches("<[0-9a-f]+@contoso\\.edu>");
    }

    @Test
    void namesSubjectsAndBodiesOutsideAsciiArriveAsTheyWere() throws Exception {
        String subject = "Grüße aus Köln, 你好, 🎉 " + "日本語".repeat(40);
        MimeMessage read = read(
                TestMails.content(
                        "1",
                        TestMails.mailbox("news@contoso.edu", "Zürich, \"Amt\""),
                        TestMails.mailbox("answer@contoso.edu", "Ответ"),
                        subject,
                        "<p>Größe 🎉 {{name}}</p>",
                        "€uro {{name}}"),
                TestMails.mail(
                        "ann@domain.com", "Änne \"Ä\" Müller-Lüdenscheidt " + "ß".repeat(60), Map.of("name", "Łódź")));

        assertThat(read.getSubject()).isEqualTo(subject);
        InternetAddress from = (InternetAddress) read.getFrom()[0];
        assertThat(from.getPersonal()).isEqualTo("Zürich, \"Amt\"");
        assertThat(from.getAddress()).isEqualTo("news@contoso.edu");
        assertThat(((InternetAddress) read.getReplyTo()[0]).getPersonal()).isEqualTo("Ответ");
        InternetAddress to = (InternetAddress) read.getAllRecipients()[0];
        assertThat(to.getPersonal()).isEqualTo("Änne \"Ä\" Müller-Lüdenscheidt " + "ß".repeat(60));
        assertThat(part(read, 0)).isEqualTo("€uro Łódź");
        assertThat(part(read, 1)).isEqualTo("<p>Größe 🎉 Łódź</p>");
    }

    @Test
    void aDisplayNameWithSpecialsIsOneAddress() throws Exception {
        MimeMessage read = read(
                TestMails.content("1", "S", "<p>x</p>", "x"),
                TestMails.mail("ann@domain.com", "Smith, Ann \\ \"x\" <b@c.example>", Map.of()));

        assertThat(read.getAllRecipients()).hasSize(1);
        InternetAddress to = (InternetAddress) read.getAllRecipients()[0];
        assertThat(to.getPersonal()).isEqualTo("Smith, Ann \\ \"x\" <b@c.example>");
        assertThat(to.getAddress()).isEqualTo("ann@domain.com");
    }

    @Test
    void noValueCanAddAHeader() throws Exception {
        String evil = "x\r\nBcc: victim@domain.com\r\n\r\nbody";
        MimeMessage read = read(
                TestMails.content(
                        "1", "Hi {{name}}", "<p>x</p>", "x", TestMails.header("List-Unsubscribe", "<{{unsubscribe}}>")),
                TestMails.mail("ann@domain.com", "Ann", Map.of("name", evil, "unsubscribe", evil)));

        assertThat(read.getHeader("Bcc")).isNull();
        assertThat(read.getSubject()).isEqualTo("Hi x  Bcc: victim@domain.com    body");
        assertThat(read.getHeader("List-Unsubscribe")).containsExactly("<x  Bcc: victim@domain.com    body>");
        assertThat(part(read, 0)).isEqualTo("x");
    }

    @Test
    void noLineIsLongAndEverythingIsAscii() {
        String words = "wörd ".repeat(3000);
        byte[] bytes = new MimeTemplate(TestMails.content(
                        "1", words.substring(0, 900), "<p>" + "x".repeat(5000) + words + "{{name}}</p>", words))
                .merge(
                        TestMails.mail("ann@domain.com", "Ann " + "very ".repeat(40), Map.of("name", "ä".repeat(2000))),
                        NOW);

        assertThat(new String(bytes, US_ASCII).split("\r\n"))
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(78));
        for (byte b : bytes) {
            assertThat(b).isPositive();
        }
    }

    @Test
    void aSubjectOfOneLongWordStillFitsTheLines() throws Exception {
        String subject = "x".repeat(998);
        byte[] bytes = new MimeTemplate(TestMails.content("1", subject, "<p>x</p>", "x"))
                .merge(TestMails.mail("a@b.example", "", Map.of()), NOW);

        assertThat(new String(bytes, US_ASCII).split("\r\n"))
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(998));
        assertThat(parsed(bytes).getSubject()).isEqualTo(subject);
    }

    @Test
    void subjectThatIsTooLongWithItsValuesIsCutBetweenCharacters() throws Exception {
        MailContent content = TestMails.content("1", "x{{a}}", "<p>x</p>", "x");
        Mail mail = TestMails.mail("a@b.example", "", Map.of("a", "\ud83d\ude00".repeat(1000)));

        assertThat(parsed(new MimeTemplate(content).merge(mail, NOW)).getSubject())
                .isEqualTo("x" + "\ud83d\ude00".repeat(498))
                .isEqualTo(MergedMail.of(content, mail).subject());
    }

    @Test
    void aTextThatLooksLikeAnEncodedWordIsNotReadAsOne() throws Exception {
        MimeMessage read = read(
                TestMails.content("1", "=?UTF-8?Q?=48?=", "<p>x</p>", "x"),
                TestMails.mail("a@b.example", "", Map.of()));

        assertThat(jakarta.mail.internet.MimeUtility.decodeText(read.getHeader("Subject", null)))
                .isEqualTo("=?UTF-8?Q?=48?=");
    }

    @Test
    void linesWithDotsBoundariesAndTrailingBlanksSurvive() throws Exception {
        String text = ".\n..\nFrom me\n--=_azuremail_1\n blanks  \ntabs\t\n\n\nend ";
        MimeMessage read =
                read(TestMails.content("1", "S", "<p>x</p>", text), TestMails.mail("a@b.example", "", Map.of()));

        assertThat(part(read, 0)).isEqualTo(text.replace("\n", "\r\n"));
    }

    /** Any seeded mix of literals and values is merged as the template says. */
    @Test
    void valuesOfAnyKindAreMergedUnchanged() throws Exception {
        Random random = new Random(20261121);
        for (int i = 0; i < 300; i++) {
            String value = random(random);
            String before = random(random);
            String after = random(random);
            MimeMessage read = read(
                    TestMails.content("1", "S", "<p>x</p>", before + "{{name}}" + after + "{{name}}{{name}}"),
                    TestMails.mail("a@b.example", "", Map.of("name", value)));

            String expected = value.isBlank() ? before + after : before + value + after + value + value;
            assertThat(part(read, 0)).as("round %d", i).isEqualTo(expected.replaceAll("\r\n|\r|\n", "\r\n"));
        }
    }

    @Test
    void theSameMailMergesToTheSameBytes() {
        MailContent content = TestMails.content("1", "Hi {{name}}", "<p>{{name}}</p>", "{{name}}");
        Mail mail = TestMails.mails(1).get(0);

        assertThat(new MimeTemplate(content).merge(mail, NOW)).isEqualTo(new MimeTemplate(content).merge(mail, NOW));
    }

    private static String random(Random random) {
        List<String> alphabet =
                List.of("a", " ", "\t", "\n", "\r\n", "=", ".", "ä", "🎉", "word", "x".repeat(70), "{", "-");
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(25); i > 0; i--) {
            text.append(alphabet.get(random.nextInt(alphabet.size())));
        }
        return text.toString().replace("{{", "{");
    }

    private static MimeMessage read(MailContent content, Mail mail) throws Exception {
        return parsed(new MimeTemplate(content).merge(mail, NOW));
    }

    private static MimeMessage parsed(byte[] bytes) throws Exception {
        return new MimeMessage(null, new ByteArrayInputStream(bytes));
    }

    private static String part(MimeMessage message, int number) throws Exception {
        return (String)
                ((MimeMultipart) message.getContent()).getBodyPart(number).getContent();
    }

    private static String partType(MimeMessage message, int number) throws Exception {
        return ((MimeMultipart) message.getContent()).getBodyPart(number).getContentType();
    }
}
