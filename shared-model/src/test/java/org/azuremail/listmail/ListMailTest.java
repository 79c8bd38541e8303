package org.azuremail.listmail;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.azuremail.list.Brand;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.MergedMail;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.template.ProductTemplates;
import org.junit.jupiter.api.Test;

class ListMailTest {

    private static final URI URL = URI.create("https://lists.contoso.edu");
    private static final EmailAddress ANN = new EmailAddress("Ann@domain.com");
    private static final SubscriberGuid GUID = new SubscriberGuid("3.6f32b03b-90ed-41a9-b8ac-c1310c67b66a");
    private static final String LINK =
            "https://lists.contoso.edu/unsubscribe?id=3.6f32b03b-90ed-41a9-b8ac-c1310c67b66a&listName=contoso1";

    private final ListIdentity list = identity("Contoso University History Department announcements");

    @Test
    void everyMailSaysWhichListItIsFromAndHowToLeave() {
        MergedMail merged = merged("<p>x</p>", "x");

        assertThat(merged.headers())
                .contains(
                        header(
                                "List-Id",
                                "Contoso University History Department announcements <contoso1.lists.contoso.edu>"),
                        header("List-Unsubscribe", "<" + LINK + ">"),
                        header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"));
    }

    @Test
    void oneMayAlsoLeaveByEmailAndTheLinkIsNotHidden() {
        String handle = "h".repeat(52);
        MailContent content = ListMail.content("7.1", list, "S", "<p>x</p>", "x", URL, ProductTemplates.CHOSEN);
        MailContent both = ListMail.withMailtoUnsubscribe(content, "leave+*@example.org");
        assertThat(MergedMail.of(both, mail("7", ANN, GUID).with(ListMail.HANDLE, handle))
                        .headers())
                .contains(
                        header(
                                "List-Unsubscribe",
                                "<mailto:leave+" + handle + "@example.org?subject=unsubscribe>, <" + LINK + ">"),
                        header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"));
        assertThat(both.id()).as("another content").isNotEqualTo(content.id());
    }

    @Test
    void theLongestWayToLeaveFitsIntoALine() {
        URI longest = URI.create("https://" + "x".repeat(387) + ".test");
        ListIdentity named = new ListIdentity(new ListName("l".repeat(50)), "", list.from(), null, "en", Brand.NONE);
        MailContent content = ListMail.withMailtoUnsubscribe(
                ListMail.content("7.1", named, "S", "<p>x</p>", "x", longest, ProductTemplates.CHOSEN),
                "leave-12345*@" + "y".repeat(255));
        Mail mail =
                ListMail.mail(named, longest, "7", ANN, "Ann", GUID, Map.of()).with(ListMail.HANDLE, "h".repeat(52));
        assertThat(MergedMail.of(content, mail).headers())
                .allMatch(header -> header.name().length() + 2 + header.value().length() < 998);
    }

    @Test
    void a59_aBodyWithoutAnUnsubscribeLinkGetsOneBeforeItsEnd() {
        MergedMail merged = merged("<html><BODY><p>x</p></BODY></html>", "x");

        assertThat(merged.html())
                .contains("<a href=\"" + LINK.replace("&", "&amp;") + "\">Unsubscribe</a></p>\n</BODY></html>");
        assertThat(merged.text()).startsWith("x\n\n-- \n").contains("Unsubscribe: " + LINK + "\n");
    }

    @Test
    void aFragmentGetsItsUnsubscribeLinkAtTheEnd() {
        assertThat(merged("<p>x</p>", "x").html()).startsWith("<p>x</p>").endsWith("Unsubscribe</a></p>\n");
    }

    @Test
    void eachPartIsLookedAtOnItsOwn() {
        MergedMail merged = merged("<p><a href=\"{{unsubscribe}}\">bye</a></p>", "x");

        assertThat(merged.html()).isEqualTo("<p><a href=\"" + LINK.replace("&", "&amp;") + "\">bye</a></p>");
        assertThat(merged.text()).contains(LINK);
        assertThat(merged("<p>x</p>", "Leave: {{unsubscribe}}").text()).isEqualTo("Leave: " + LINK);
    }

    @Test
    void aLinkInsideACommentDoesNotCount() {
        assertThat(merged("<p>x</p><!-- {{unsubscribe}} -->", "x").html()).contains(">Unsubscribe</a>");
    }

    @Test
    void aDescriptionIsNeverReadAsATemplateOrHtml() {
        ListIdentity odd = identity("{{name}} <b>& \"more\"");
        MergedMail merged = MergedMail.of(
                ListMail.content("7.1", odd, "S", "<p>x</p>", "x", URL, ProductTemplates.CHOSEN),
                ListMail.mail(odd, URL, "7", ANN, "Ann", GUID, Map.of()));

        assertThat(merged.html()).doesNotContain("Ann").contains("&lt;b&gt;&amp; &quot;more&quot;");
        assertThat(merged.text()).doesNotContain("Ann");
        assertThat(merged.headers().get(0).value())
                .isEqualTo("\"{{name}} <b>& \\\"more\\\"\" <contoso1.lists.contoso.edu>");
    }

    @Test
    void aDescriptionOutsideAsciiIsEncodedInTheHeader() {
        MailContent content =
                ListMail.content("7.1", identity("Grüße"), "S", "<p>x</p>", "x", URL, ProductTemplates.CHOSEN);

        assertThat(MergedMail.of(content, mail("7", ANN, GUID)).headers().get(0).value())
                .isEqualTo("=?UTF-8?B?R3LDvMOfZQ==?= <contoso1.lists.contoso.edu>");
    }

    @Test
    void theMessageIdIsTheSameForTheSameMailAndTellsNoAddress() {
        String id = mail("7", ANN, GUID).messageId();

        assertThat(mail("7", ANN, GUID).messageId()).isEqualTo(id);
        assertThat(id).matches("[0-9a-f]{32}\\.7@contoso\\.edu").doesNotContainIgnoringCase("ann");
        assertThat(List.of(
                        mail("8", ANN, GUID).messageId(),
                        mail("7", new EmailAddress("bob@domain.com"), GUID).messageId(),
                        mail("7", ANN, new SubscriberGuid("4.6f32b03b-90ed-41a9-b8ac-c1310c67b66a"))
                                .messageId()))
                .doesNotContain(id)
                .doesNotHaveDuplicates();
    }

    @Test
    void equalContentsHaveEqualIdsAndOthersDoNot() {
        MailContent content = ListMail.content("7.1", list, "S", "<p>x</p>", "x", URL, ProductTemplates.CHOSEN);

        assertThat(ListMail.content("7.1", list, "S", "<p>x</p>", "x", URL, ProductTemplates.CHOSEN))
                .isEqualTo(content);
        assertThat(ListMail.content("7.1", identity("Renamed"), "S", "<p>x</p>", "x", URL, ProductTemplates.CHOSEN)
                        .id())
                .isNotEqualTo(content.id());
    }

    @Test
    void attributesNeverHideWhatWeSayOurselves() {
        Mail mail = ListMail.mail(
                list,
                URL,
                "7",
                ANN,
                "Ann",
                GUID,
                Map.of("email", "x", "unsubscribe", "y", "name", "z", "city", "Rome"));

        assertThat(mail.fields())
                .containsEntry("email", "Ann@domain.com")
                .containsEntry("unsubscribe", LINK)
                .containsEntry("name", "Ann")
                .containsEntry("city", "Rome");
    }

    @Test
    void aNameWithALineBreakCannotBreakTheToLine() {
        Mail mail = ListMail.mail(list, URL, "7", ANN, "Ann\r\nBcc: x@y.example", GUID, Map.of());

        assertThat(mail.to().name()).isEqualTo("Ann  Bcc: x@y.example");
    }

    @Test
    void aSampleFillsEveryFieldAndLeadsNowhere() {
        Mail sample = ListMail.sample(list, URL, "7", ANN, List.of("city"));
        MergedMail merged = MergedMail.of(
                ListMail.content(
                        "7.1",
                        list,
                        "Hi {{name}} of {{city}}",
                        "<p>x</p>",
                        "{{unsubscribe}}",
                        URL,
                        ProductTemplates.CHOSEN),
                sample);

        assertThat(merged.subject()).isEqualTo("Hi Alex Sample of Sample city");
        assertThat(merged.text())
                .isEqualTo("https://lists.contoso.edu/unsubscribe?id=0.0000000000000000000000&listName=contoso1");
    }

    private MergedMail merged(String html, String text) {
        return MergedMail.of(
                ListMail.content("7.1", list, "S", html, text, URL, ProductTemplates.CHOSEN), mail("7", ANN, GUID));
    }

    private Mail mail(String key, EmailAddress to, SubscriberGuid guid) {
        return ListMail.mail(list, URL, key, to, "Ann", guid, Map.of());
    }

    private static MergedMail.Header header(String name, String value) {
        return new MergedMail.Header(name, value);
    }

    private static ListIdentity identity(String description) {
        return new ListIdentity(
                new ListName("contoso1"),
                description,
                new Mailbox(new EmailAddress("donotreply@contoso.edu"), "Contoso"),
                null,
                "en",
                Brand.NONE);
    }

    @Test
    void aTestEmailSaysSoInItsSubjectAndInAHeader() {
        MailContent real =
                ListMail.content("7.1", list, "News for {{name}}", "<p>Hi</p>", "Hi", URL, ProductTemplates.CHOSEN);
        MailContent test = ListMail.test(real);
        MergedMail merged = MergedMail.of(test, ListMail.sample(list, URL, "7-test", ANN, List.of()));

        assertThat(merged.subject()).isEqualTo("[Test] News for Alex Sample");
        assertThat(merged.headers()).contains(new MergedMail.Header("X-AzureMail-Test", "yes"));
        assertThat(test.id()).isNotEqualTo(real.id());
        assertThat(real.headers()).noneMatch(header -> header.name().equals("X-AzureMail-Test"));
    }
}
