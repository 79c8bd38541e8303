package org.azuremail.listmail;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.azuremail.list.Brand;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mail;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.MergedMail;
import org.azuremail.subscription.ConfirmationSeals.ConfirmationLink;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.template.ProductTemplates;
import org.junit.jupiter.api.Test;

class ConfirmationMailTest {

    private static final URI URL = URI.create("http://localhost:8080");
    private static final EmailAddress ANN = new EmailAddress("ann@domain.com");
    private static final ConfirmationLink LINK = new ConfirmationLink(
            new SubscriberGuid("3.6f32b03b-90ed-41a9-b8ac-c1310c67b66a"), "x5-_AAAAAAAAAAAAAAAAAA");

    private final ListIdentity list = new ListIdentity(
            new ListName("fabrikam1"),
            "Fabrikam <Engineering> {{name}} job postings",
            new Mailbox(new EmailAddress("donotreply@fabrikam.com"), ""),
            null,
            "en",
            Brand.NONE);
    private final MergedMail merged =
            MergedMail.of(ConfirmationMail.content(list, URL, ProductTemplates.CHOSEN), mail("1"));

    @Test
    void e17_bothPartsSayWhatHappensWithoutConfirmationAndHoldTheLink() {
        String link =
                "http://localhost:8080/subscribe?id=3.6f32b03b-90ed-41a9-b8ac-c1310c67b66a.x5-_AAAAAAAAAAAAAAAAAA&listName=fabrikam1";

        assertThat(merged.subject())
                .isEqualTo("Please confirm your subscription to Fabrikam <Engineering> {{name}} job postings");
        assertThat(merged.html())
                .contains("If you do not confirm, you are not subscribed")
                .contains("<a href=\"" + link.replace("&", "&amp;") + "\" style=")
                .contains("Fabrikam &lt;Engineering&gt; {{name}} job postings");
        assertThat(merged.text())
                .contains("If you do not confirm, you are not subscribed")
                .contains("\n" + link + "\n")
                .contains("an*@******.com");
    }

    @Test
    void e17_thereIsNoWayToUnsubscribeFromWhatHasNotBegun() {
        assertThat(merged.html() + merged.text() + merged.headers()).doesNotContainIgnoringCase("unsubscribe");
    }

    @Test
    void itSaysThatAMachineSentIt() {
        assertThat(merged.headers()).containsExactly(new MergedMail.Header("Auto-Submitted", "auto-generated"));
    }

    @Test
    void itCarriesTheListsLogoAndColourAndLittleElse() {
        ListIdentity branded = new ListIdentity(
                list.name(),
                "Tom's \"news\"",
                list.from(),
                null,
                "en",
                Brand.NONE.withColor("#ffcc00").withLogo("AAAAAAAAAAAAAAAAAAAAAA.png"));
        String html = MergedMail.of(ConfirmationMail.content(branded, URL, ProductTemplates.CHOSEN), mail("1"))
                .html();

        assertThat(html)
                .contains("src=\"http://localhost:8080/logo/AAAAAAAAAAAAAAAAAAAAAA.png\" alt=\"Tom")
                .contains("background:#ffcc00;color:#000000")
                .doesNotContain("<script", "https://")
                .hasSizeLessThan(15 * 1024);
        assertThat(ConfirmationMail.content(branded, URL, ProductTemplates.CHOSEN)
                        .id())
                .isNotEqualTo(ConfirmationMail.content(list, URL, ProductTemplates.CHOSEN)
                        .id());
    }

    @Test
    void askedAgainItIsAnotherMail() {
        assertThat(mail("1").messageId())
                .isEqualTo(mail("1").messageId())
                .isNotEqualTo(mail("2").messageId());
    }

    @Test
    void itCarriesNoWordOfWhoeverAskedForIt() {
        EmailAddress spoken = new EmailAddress("victim+win-1000-at-www.spam.test@domain.com");
        Mail mail = ConfirmationMail.mail(list, URL, "1", spoken, LINK);
        MergedMail sent = MergedMail.of(ConfirmationMail.content(list, URL, ProductTemplates.CHOSEN), mail);

        assertThat(mail.to()).isEqualTo(new Mailbox(spoken, ""));
        assertThat(sent.subject() + sent.html() + sent.text() + sent.headers()).doesNotContain("win-1000", "spam");
    }

    private Mail mail(String requestKey) {
        return ConfirmationMail.mail(list, URL, requestKey, ANN, LINK);
    }
}
