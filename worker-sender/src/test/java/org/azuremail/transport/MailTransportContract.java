package org.azuremail.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.azuremail.list.Brand;
import org.azuremail.list.ListName;
import org.azuremail.listmail.ConfirmationMail;
import org.azuremail.listmail.ListIdentity;
import org.azuremail.listmail.ListMail;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.TestMails;
import org.azuremail.subscription.ConfirmationSeals.ConfirmationLink;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.template.ProductTemplates;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The behaviour of every transport with valid emails, whatever accepts them. */
public interface MailTransportContract {

    MailTransport.Guard ALWAYS = () -> true;
    URI URL = URI.create("https://lists.contoso.edu");
    SubscriberGuid GUID = new SubscriberGuid("3.6f32b03b-90ed-41a9-b8ac-c1310c67b66a");
    String LINK = "https://lists.contoso.edu/unsubscribe?id=" + GUID + "&listName=contoso1";

    MailTransport transport();

    /** Returns all emails that the server accepted, in order. */
    List<ReceivedMail> received() throws Exception;

    @Test
    default void everyMailOfALotIsTakenOnce() throws Exception {
        List<Mail> mails = TestMails.mails(transport().lotSize());
        HandOverResult handOver = transport()
                .handOver(
                        new MailLot(TestMails.content("1", "Hi {{name}}", "<p>{{city}}</p>", "{{city}}"), mails),
                        ALWAYS);

        assertThat(handOver.answers()).hasSize(mails.size()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(handOver.unavailable()).isEmpty();
        assertThat(received())
                .extracting(mail -> mail.to().address())
                .containsExactlyInAnyOrderElementsOf(
                        mails.stream().map(mail -> mail.to().address()).toList());
        assertThat(received()).allSatisfy(mail -> {
            String number = mail.to().address().value().substring(1, 8).replaceFirst("^0+", "");
            assertThat(mail.subject()).isEqualTo("Hi User " + number);
            assertThat(mail.text()).isEqualTo("Town " + Integer.parseInt(number) % 100);
        });
    }

    @Test
    default void aListMailHasBothPartsAndSaysHowToLeave() throws Exception {
        ReceivedMail mail = listMail("New lecture series", "<p>Dear {{name}}</p>", "Dear {{name}}\n", "Ann");

        assertThat(mail.types()).containsExactly("text/plain", "text/html");
        assertThat(mail.html())
                .startsWith("<p>Dear Ann</p>")
                .contains("<a href=\"" + LINK.replace("&", "&amp;") + "\">Unsubscribe</a>");
        assertThat(mail.text()).startsWith("Dear Ann\n").contains("Unsubscribe: " + LINK);
        assertThat(mail.subject()).isEqualTo("New lecture series");
        assertThat(mail.from()).isEqualTo(TestMails.mailbox("donotreply@contoso.edu", "Contoso"));
        assertThat(mail.replyTo()).isEqualTo(TestMails.mailbox("history@contoso.edu", ""));
        assertThat(mail.to()).isEqualTo(TestMails.mailbox("Ann@domain.com", "Ann"));
        assertThat(mail.headers())
                .containsEntry("List-Id", "History <contoso1.lists.contoso.edu>")
                .containsEntry("List-Unsubscribe", "<" + LINK + ">")
                .containsEntry("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
                .hasEntrySatisfying(
                        "Message-ID", id -> assertThat(id).matches("<[0-9a-f]{32}\\.[0-9a-z-]+@contoso\\.edu>"))
                .doesNotContainKey("Auto-Submitted");
    }

    @Test
    default void e17_aConfirmationHasItsLinkAndNoWayToUnsubscribe() throws Exception {
        ConfirmationLink secret = new ConfirmationLink(GUID, "A".repeat(22));
        Mail mail = ConfirmationMail.mail(identity("History"), URL, "1", new EmailAddress("ann@domain.com"), secret);
        ReceivedMail received =
                handOver(ConfirmationMail.content(identity("History"), URL, ProductTemplates.CHOSEN), mail);

        String link = "https://lists.contoso.edu/subscribe?id=" + secret.id() + "&listName=contoso1";
        assertThat(received.types()).containsExactly("text/plain", "text/html");
        assertThat(received.text()).contains(link);
        assertThat(received.html()).contains(link.replace("&", "&amp;"));
        assertThat(received.subject()).isEqualTo("Please confirm your subscription to History");
        assertThat(received.headers())
                .containsEntry("Auto-Submitted", "auto-generated")
                .doesNotContainKeys("List-Unsubscribe", "List-Unsubscribe-Post");
    }

    @Test
    default void valuesAreEscapedInHtmlAndPlainInText() throws Exception {
        ReceivedMail mail = listMail(
                "{{name}}", "<p title=\"{{name}}\">{{name}}</p>", "{{name}}", "<b>\"O'Neil\" & 100% {{email}}</b>");

        String escaped = "&lt;b&gt;&quot;O&#39;Neil&quot; &amp; 100% {{email}}&lt;/b&gt;";
        assertThat(mail.html()).startsWith("<p title=\"" + escaped + "\">" + escaped + "</p>");
        assertThat(mail.text()).startsWith("<b>\"O'Neil\" & 100% {{email}}</b>");
        assertThat(mail.subject()).isEqualTo("<b>\"O'Neil\" & 100% {{email}}</b>");
    }

    @Test
    default void aValueInAUrlIsPercentEncoded() throws Exception {
        ReceivedMail mail = listMail(
                "{{name}}",
                "<a href=\"https://example.org/?n={{name}}\">{{name}}</a>",
                "{{name}} https://example.org/?n={{name}}",
                "Zoë & 100%");

        assertThat(mail.html())
                .startsWith("<a href=\"https://example.org/?n=Zo%C3%AB%20%26%20100%25\">Zoë &amp; 100%</a>");
        assertThat(mail.text()).startsWith("Zoë & 100% https://example.org/?n=Zo%C3%AB%20%26%20100%25");
    }

    @Test
    default void lettersOutsideAsciiArriveAsTheyAre() throws Exception {
        ReceivedMail mail = handOver(
                ListMail.content(
                        "1",
                        new ListIdentity(
                                new ListName("contoso1"),
                                "Geschichte für Änfänger",
                                TestMails.mailbox("donotreply@contoso.edu", "Uni Zürich, \"Geschichte\""),
                                null,
                                "de",
                                Brand.NONE),
                        "Grüße, {{name}} 🎉 — 你好",
                        "<p>Größe {{name}} 🎉</p>",
                        "Größe {{name}} 🎉",
                        URL,
                        ProductTemplates.CHOSEN),
                mail("Łukasz Żółć"));

        assertThat(mail.subject()).isEqualTo("Grüße, Łukasz Żółć 🎉 — 你好");
        assertThat(mail.from().name()).isEqualTo("Uni Zürich, \"Geschichte\"");
        assertThat(mail.to().name()).isEqualTo("Łukasz Żółć");
        assertThat(mail.html()).startsWith("<p>Größe Łukasz Żółć 🎉</p>");
        assertThat(mail.text()).startsWith("Größe Łukasz Żółć 🎉");
        assertThat(mail.headers().get("List-Id")).isEqualTo("Geschichte für Änfänger <contoso1.lists.contoso.edu>");
    }

    @Test
    default void noValueCanAddAHeaderOrARecipient() throws Exception {
        String evil = "Ann\r\nBcc: victim@domain.com\r\nX-Evil: 1\r\n\r\nbody";
        ReceivedMail mail = handOver(
                TestMails.content(
                        "1", "Hi {{name}}", "<p>x</p>", "x", TestMails.header("List-Unsubscribe", "<{{name}}>")),
                ListMail.mail(identity("History"), URL, "7", new EmailAddress("ann@domain.com"), evil, GUID, Map.of()));

        assertThat(received()).hasSize(1);
        assertThat(mail.headers()).doesNotContainKeys("Bcc", "X-Evil");
        assertThat(mail.subject()).isEqualTo("Hi Ann  Bcc: victim@domain.com  X-Evil: 1    body");
        assertThat(mail.headers().get("List-Unsubscribe")).startsWith("<Ann  Bcc: victim@domain.com");
        assertThat(mail.text()).isEqualTo("x");
    }

    @Test
    default void anyTextSurvivesTheWay() throws Exception {
        String text = ".\n..\n.leading dots\nFrom the start\n--=_\n=3D\n" + "long ".repeat(500) + "\n"
                + "x".repeat(3000) + "\n\ttabs\n blanks \n-a- %b% [c]\n\n\nend";
        ReceivedMail mail = handOver(
                TestMails.content("1", "S", "<pre>" + text + "</pre>", text),
                TestMails.mails(1).get(0));

        assertThat(mail.text()).isEqualTo(text);
        assertThat(mail.html()).isEqualTo("<pre>" + text + "</pre>");
    }

    @Test
    default void valuesOfManyKilobytesArriveWhole() throws Exception {
        String value = "Größe & \"mehr\" 🎉 ".repeat(1500);
        Mail mail = TestMails.mail("ann@domain.com", "Ann", Map.of("city", value));
        List<Mail> mails =
                List.of(TestMails.mails(1).get(0), mail, TestMails.mails(2, 1).get(0));
        HandOverResult handOver = transport()
                .handOver(new MailLot(TestMails.content("1", "S", "<p>{{city}}</p>", "{{city}}"), mails), ALWAYS);

        assertThat(handOver.answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(received()).hasSize(3);
        ReceivedMail large = received().stream()
                .filter(received -> received.to().equals(mail.to()))
                .findFirst()
                .orElseThrow();
        assertThat(large.text()).isEqualTo(value);
        assertThat(large.html()).hasSizeGreaterThan(value.length()).contains("&amp; &quot;mehr&quot; 🎉");
    }

    @Test
    default void aBodyOfAMegabyteArrivesWhole() throws Exception {
        String html = "<p>" + "0123456789 äöü ".repeat(65_000) + "{{name}}</p>";
        ReceivedMail mail = handOver(
                TestMails.content("1", "S", html, "t"), TestMails.mails(1).get(0));

        assertThat(mail.html()).isEqualTo(html.replace("{{name}}", "User 1"));
    }

    @Test
    default void twoContentsInTurnAreNotMixedUp() throws Exception {
        MailContent one = TestMails.content("1", "One", "<p>1</p>", "1");
        MailContent two = TestMails.content("2", "Two", "<p>2</p>", "2");
        for (int i = 1; i <= 3; i++) {
            transport().handOver(new MailLot(one, TestMails.mails(2 * i, 1)), ALWAYS);
            transport().handOver(new MailLot(two, TestMails.mails(2 * i + 1, 1)), ALWAYS);
        }

        assertThat(received()).hasSize(6).allSatisfy(mail -> {
            boolean even = mail.to().address().value().matches("u000000[246]@.*");
            assertThat(mail.subject() + mail.text()).isEqualTo(even ? "One1" : "Two2");
        });
    }

    @Test
    default void manyThreadsMayHandOver() throws Exception {
        MailContent content = TestMails.content("1", "Hi {{name}}", "<p>{{name}}</p>", "{{name}}");
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<HandOverResult>> handOvers = new ArrayList<>();
            for (int lot = 0; lot < 24; lot++) {
                List<Mail> mails = TestMails.mails(lot * 10 + 1, 10);
                handOvers.add(threads.submit(() -> transport().handOver(new MailLot(content, mails), ALWAYS)));
            }
            for (Future<HandOverResult> handOver : handOvers) {
                assertThat(handOver.get().answers()).hasOnlyElementsOfType(Answer.Accepted.class);
            }
        } finally {
            threads.shutdownNow();
        }
        List<ReceivedMail> received = received();
        assertThat(received)
                .hasSize(240)
                .extracting(mail -> mail.to().address())
                .doesNotHaveDuplicates();
        assertThat(received).allSatisfy(mail -> assertThat(mail.text())
                .isEqualTo(
                        "User " + Integer.parseInt(mail.to().address().value().substring(1, 8))));
    }

    @Test
    default void preparingSendsNothing() throws Exception {
        assertThat(transport().prepare(() -> true)).isEmpty();
        assertThat(transport().prepare(() -> true)).isEmpty();

        assertThat(received()).isEmpty();
        everyMailOfALotIsTakenOnce();
    }

    private ReceivedMail listMail(String subject, String html, String text, String name) throws Exception {
        return handOver(
                ListMail.content("7.1", identity("History"), subject, html, text, URL, ProductTemplates.CHOSEN),
                mail(name));
    }

    private static Mail mail(String name) {
        return ListMail.mail(identity("History"), URL, "7", new EmailAddress("Ann@domain.com"), name, GUID, Map.of());
    }

    private ReceivedMail handOver(MailContent content, Mail mail) throws Exception {
        HandOverResult handOver = transport().handOver(new MailLot(content, List.of(mail)), ALWAYS);
        assertThat(handOver.answers()).singleElement().isInstanceOf(Answer.Accepted.class);
        List<ReceivedMail> received = received();
        return received.get(received.size() - 1);
    }

    private static ListIdentity identity(String description) {
        return new ListIdentity(
                new ListName("contoso1"),
                description,
                TestMails.mailbox("donotreply@contoso.edu", "Contoso"),
                replyTo(),
                "en",
                Brand.NONE);
    }

    private static org.azuremail.mail.@Nullable Mailbox replyTo() {
        return TestMails.mailbox("history@contoso.edu", "");
    }
}
