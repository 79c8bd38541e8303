package org.azuremail.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Set;
import org.azuremail.app.AzureMailProperties.StorageKind;
import org.azuremail.list.Brand;
import org.azuremail.list.ListName;
import org.azuremail.listmail.ListIdentity;
import org.azuremail.listmail.ListMail;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mail;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.MergedMail;
import org.azuremail.mail.mime.MimeTemplate;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.template.ProductTemplates;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that every link begins with ASCII, whatever the setting, and that the setting is checked at the start. */
class PublicUrlTest {

    @ParameterizedTest
    @CsvSource({
        "https://lists.example.org/, https://lists.example.org",
        "https://b\u00fccher.example, https://xn--bcher-kva.example",
        "https://STRA\u00dfE.example:8443/, https://xn--strae-oqa.example:8443",
        "http://localhost:8080, http://localhost:8080",
        "http://[::1]:8080/, http://[::1]:8080",
        "http://my_host:8080, http://my_host:8080",
    })
    void isKeptInAscii(String typed, String kept) {
        assertThat(settings(typed).publicUrl()).hasToString(kept);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ftp://x.example", "https:///x", "https:x", "https://a\u202eb.example", "https://xn--zz.example"
            })
    void isRefusedWhereItIsNone(String typed) {
        assertThatThrownBy(() -> settings(typed))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("azuremail.public-url");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://x.example/lists",
                "https://x.example:8443/lists/",
                "https://x.example//",
                "https://x.example?a",
                "https://x.example/#a",
                "http://[::1]:8080/lists"
            })
    void isRefusedWithAPathAtWhichNoButtonWouldWork(String typed) {
        assertThatThrownBy(() -> settings(typed))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("azuremail.public-url must end after the host and its port");
    }

    @Test
    void isNotLongerThanAHeaderLineAllows() {
        assertThatThrownBy(() -> settings("https://" + "y".repeat(400) + ".example"))
                .hasMessageContaining("400");
    }

    @Test
    void headersHoldItAsAscii() {
        URI url = settings("https://b\u00fccher.example").publicUrl();
        ListIdentity list = new ListIdentity(
                new ListName("news"),
                "News",
                new Mailbox(new EmailAddress("a@example.org"), ""),
                null,
                "en",
                Brand.NONE);
        Mail mail = ListMail.mail(
                list, url, "7", new EmailAddress("b@x.test"), "", new SubscriberGuid("3." + "a".repeat(22)), Map.of());

        MergedMail merged =
                MergedMail.of(ListMail.content("7.1", list, "S", "<p>x</p>", "x", url, ProductTemplates.CHOSEN), mail);

        assertThat(merged.headers())
                .contains(
                        new MergedMail.Header("List-Id", "News <news.xn--bcher-kva.example>"),
                        new MergedMail.Header(
                                "List-Unsubscribe",
                                "<https://xn--bcher-kva.example/unsubscribe?id=3." + "a".repeat(22)
                                        + "&listName=news>"));
        byte[] bytes = new MimeTemplate(
                        ListMail.content("7.1", list, "S", "<p>x</p>", "x", url, ProductTemplates.CHOSEN))
                .merge(mail, "now");
        for (byte b : bytes) {
            assertThat(b).isPositive();
        }
    }

    @Test
    void hostWithAnUnderscoreNamesTheListToo() {
        URI url = settings("http://my_host:8080").publicUrl();
        ListIdentity list = new ListIdentity(
                new ListName("news"),
                "News",
                new Mailbox(new EmailAddress("a@example.org"), ""),
                null,
                "en",
                Brand.NONE);

        assertThat(ListMail.content("7.1", list, "S", "<p>x</p>", "x", url, ProductTemplates.CHOSEN)
                        .headers()
                        .get(0)
                        .value()
                        .merge(Map.of(), org.azuremail.content.Escaping.ONE_LINE))
                .isEqualTo("News <news.myhost>");
    }

    @ParameterizedTest
    @CsvSource({
        "https://lists.example.org,",
        "https://10.example.org,",
        "https://8.8.8.8,",
        "http://lists.example.org, NOT_HTTPS",
        "http://localhost:8080, LOCAL",
        "https://localhost, LOCAL",
        "https://mail, LOCAL",
        "https://lists.local, LOCAL",
        "https://a.localhost, LOCAL",
        "http://127.0.0.1:8080, LOCAL",
        "https://10.1.2.3, LOCAL",
        "https://192.168.0.1, LOCAL",
        "https://172.20.0.1, LOCAL",
        "https://172.32.0.1,",
        "https://[::1], LOCAL",
        "https://[fd00::1], LOCAL",
        "http://my_host:8080, LOCAL",
    })
    void linksThatNobodyElsewhereCanFollowAreFound(String url, LinkProblem problem) {
        assertThat(settings(url).linkProblem().orElse(null)).isEqualTo(problem);
    }

    private static AzureMailProperties settings(String publicUrl) {
        return new AzureMailProperties(
                StorageKind.EMBEDDED, Path.of("data"), URI.create(publicUrl), ZoneOffset.UTC, Set.of(Role.WEB));
    }
}
