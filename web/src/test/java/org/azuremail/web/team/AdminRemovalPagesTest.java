package org.azuremail.web.team;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.azuremail.web.TestBrowser;
import org.azuremail.web.key.ApiKey;
import org.azuremail.web.key.ApiKeys;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;

/** Tests how Ann removes Bob on the pages of the team. */
class AdminRemovalPagesTest extends OnRemovals {

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @Test
    void pageListsTheKeysAndAsksWhatBecomesOfThem() throws Exception {
        TestBrowser ann = browsers.getObject().signIn().open("/accounts/remove?email=bob@example.org");
        assertThat(ann.text())
                .contains("Their 3 API keys", "Keep shop", "subscribe people to news", "Keep script", "Keep of Carla");

        ann.submit("/accounts/remove", Map.of("keep", script.key().id()));

        assertThat(ann.text()).contains("The account is removed");
        assertThat(keys.use(script.secret())).isInstanceOf(ApiKeys.Use.Granted.class);
        assertThat(keys.use(shop.secret())).isInstanceOf(ApiKeys.Use.Refused.class);
        assertThat(ann.open("/keys").text()).contains("by bob@example.org now of ann@example.org");
    }

    @Test
    void anUnfinishedRemovalIsShownAndNobodyCanRevive() throws Exception {
        accounts.beginRemoval(BOB, ANN);
        TestBrowser ann = browsers.getObject().signIn().open("/accounts");
        assertThat(ann.text()).contains("Removal not finished", "Finish removing");
        assertThat(browsers.getObject()
                        .signIn("bob@example.org", "nine dry badgers")
                        .errorAt("email"))
                .contains("email address or password is wrong");
        assertThat(accounts.changePassword(accounts.find(BOB).orElseThrow(), "eleven odd geese"))
                .isEmpty();

        ann.open("/accounts/remove?email=bob@example.org").submit("/accounts/remove", Map.of());

        assertThat(ann.open("/accounts").text()).doesNotContain("bob@example.org", "Bob@example.org");
    }

    @Test
    void nobodyRemovesTheirOwnAccountHoweverItIsSpelled() throws Exception {
        TestBrowser ann = browsers.getObject().signIn().open("/accounts/remove?email=bob@example.org");

        ann.submit("/accounts/remove", Map.of("email", " ANN@EXAMPLE.ORG "));

        assertThat(ann.text()).contains("You cannot remove your own account");
        assertThat(accounts.find(ANN)).isPresent();
        assertThat(accounts.beginRemoval(ANN, ANN)).isFalse();
    }

    @Test
    void aResetLinkForOneselfIsRefused() throws Exception {
        TestBrowser ann = browsers.getObject().signIn().open("/accounts");
        assertThat(ann.page()
                        .select("form[action=/accounts/reset] [name=email]")
                        .eachAttr("value"))
                .isNotEmpty()
                .doesNotContain("ann@example.org");

        ann.submit("/accounts/reset", Map.of("email", " Ann@Example.ORG "));

        assertThat(ann.address()).startsWith("/account");
        assertThat(ann.text()).contains("To change your own password").doesNotContain("/welcome?token=");
    }

    @Test
    void aKeyWhoseOwnerHasNoAccountIsMarked() throws Exception {
        removal.remove(BOB, ANN, Set.of());
        ApiKeys.NewKey late = keys.create(
                keys.nextSecret(), ApiKey.Terms.of("made in that moment", ApiKey.Scope.ADMIN, Set.of()), BOB.value());

        assertThat(browsers.getObject().signIn().open("/keys").text()).contains("Owner has no account");

        keys.revoke(late.key().id());
        assertThat(browsers.getObject().signIn().open("/keys").text()).doesNotContain("Owner has no account");
    }
}
