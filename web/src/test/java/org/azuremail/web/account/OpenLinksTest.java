package org.azuremail.web.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.azuremail.mail.EmailAddress;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;

/** Checks that invitations and password links that still work are listed and can be revoked. */
@PageTest
class OpenLinksTest {

    @Autowired
    TestBrowser browser;

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @Autowired
    Accounts accounts;

    @Autowired
    ManualTime time;

    @AfterEach
    void none() {
        accounts.openLinks().forEach(open -> accounts.revokeLink(open.id()));
    }

    private String invite(String email) throws Exception {
        browser.signIn().open("/accounts").submit("/accounts/invite", Map.of("email", email));
        return browser.page().getElementById("secret").text().replaceFirst("^https?://[^/]+", "");
    }

    @Test
    void anInvitationIsListedUntilItIsRevokedAndThenOpensNothing() throws Exception {
        String link = invite("bob@example.org");
        String token = link.substring(link.indexOf('=') + 1);
        browser.open("/accounts");
        assertThat(browser.page().getElementById("links").text())
                .contains("bob@example.org", "Invitation", "by ann@example.org", "in 2 days");
        assertThat(browser.body()).as("the link itself is shown once").doesNotContain(token);

        browser.open(browser.page().select("#links a.red").attr("href"));
        assertThat(browser.text()).contains("Revoke the invitation for bob@example.org?");
        assertThat(accounts.openLinks()).as("asking changes nothing").hasSize(1);
        String question = browser.address();
        browser.submit("/accounts/links/revoke", Map.of());

        assertThat(browser.text()).contains("The link is revoked");
        assertThat(browser.page().getElementById("links")).isNull();
        assertThat(browsers.getObject().open(link).text()).contains("no longer works");
        assertThat(browser.open(question).status()).isEqualTo(404);
    }

    @Test
    void aLinkThatIsOverOrUsedIsNotListedAndCannotBeRevoked() throws Exception {
        Secret secret =
                accounts.link(OneTimeLink.Kind.INVITATION, new EmailAddress("eve@example.org"), "ann@example.org");
        String id = accounts.openLinks().get(0).id();
        time.advance(Duration.ofHours(49));

        assertThat(accounts.openLinks()).isEmpty();
        assertThat(accounts.revokeLink(id)).isFalse();
        assertThat(accounts.openLink(secret)).isEmpty();
        assertThat(accounts.revokeLink("guess")).isFalse();
    }
}
