package org.azuremail.web.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Write;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;

@PageTest
class SetupTest {

    private static final Map<String, String> GOOD =
            Map.of("email", "first@example.org", "password", "seven wet otters", "repeated", "seven wet otters");

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @Autowired
    Accounts accounts;

    @Autowired
    FirstRun firstRun;

    @Autowired
    Storage storage;

    @BeforeEach
    void nobodyHasAnAccount() {
        for (Row row : Rows.all(storage.tables(), "account", KeyRange.prefix("accounts", "account:"))) {
            storage.tables().write("account", "accounts", Write.delete(row));
        }
    }

    @AfterEach
    void theAccountOfTheSetUpIsThereAgain() {
        nobodyHasAnAccount();
        firstRun.begin();
    }

    @Test
    void linkMakesTheFirstAccountOnceAndSignsIn() throws Exception {
        String path = "/setup?token=" + accounts.setupLink().text();
        TestBrowser browser = browsers.getObject().open(path);
        TestBrowser second = browsers.getObject().open(path);

        browser.submit("/setup", GOOD);

        assertThat(browser.text()).contains("Welcome! Your account is ready");
        second.submit("/setup", Map.of("email", "second@example.org", "password", "x", "repeated", "x"));
        assertThat(second.text()).contains("The set-up is done");
        assertThat(accounts.all())
                .extracting(account -> account.email().value())
                .containsExactly("first@example.org");
    }

    @Test
    void onlyTheNewestLinkWorksAndAGuessDoesNot() throws Exception {
        String old = accounts.setupLink().text();
        accounts.setupLink();

        assertThat(browsers.getObject().open("/setup?token=" + old).text()).contains("This link does not work");
        assertThat(browsers.getObject().open("/setup?token=guess").text()).contains("This link does not work");
        assertThat(browsers.getObject().open("/setup").text()).contains("This link does not work");
    }

    @Test
    void weakAndDifferentPasswordsAreRefusedAtTheirFields() throws Exception {
        TestBrowser browser =
                browsers.getObject().open("/setup?token=" + accounts.setupLink().text());

        browser.submit("/setup", Map.of("email", "me@example.org", "password", "short", "repeated", "short"));
        assertThat(browser.errorAt("password")).contains("at least 12 characters");

        browser.submit("/setup", Map.of("password", "aaaaaaaaaaaaaaa", "repeated", "aaaaaaaaaaaaaaa"));
        assertThat(browser.errorAt("password")).contains("easy to guess");

        browser.submit("/setup", Map.of("password", "seven wet otters", "repeated", "seven wet otter"));
        assertThat(browser.errorAt("repeated")).contains("differ");

        browser.submit("/setup", Map.of("email", "nobody", "password", "short", "repeated", "other"));
        assertThat(browser.errorAt("password")).contains("at least 12 characters");
        assertThat(browser.errorAt("repeated")).contains("differ");
        assertThat(browser.errorAt("email")).contains("in the form name@example.org");
        assertThat(accounts.isEmpty()).isTrue();
    }

    @Test
    void settingsMakeTheFirstAccountAndNeverChangeOne() {
        firstRun.begin();
        String made =
                accounts.find(new EmailAddress("ann@example.org")).orElseThrow().passwordHash();

        firstRun.begin();

        assertThat(accounts.find(new EmailAddress("ann@example.org"))
                        .orElseThrow()
                        .passwordHash())
                .isEqualTo(made);
    }

    @Test
    void aRemovedBootstrapAdminStaysRemovedAfterARestart() {
        EmailAddress first = new EmailAddress("ann@example.org");
        EmailAddress second = new EmailAddress("second@example.org");
        firstRun.begin();
        TestAccounts.add(accounts, second, "nine dry badgers", "test");
        accounts.beginRemoval(first, second);
        firstRun.begin();
        accounts.finishRemoval(first);

        firstRun.begin();

        assertThat(accounts.all()).extracting(Account::email).containsExactly(second);
    }

    @Test
    void everyCharacterOfALongPasswordCounts() {
        Passwords passwords = new Passwords(4);
        String hash = passwords.hash("x".repeat(100) + "a");

        assertThat(passwords.matches("x".repeat(100) + "a", hash)).isTrue();
        assertThat(passwords.matches("x".repeat(100) + "b", hash)).isFalse();
    }

    @Test
    void invitationMakesAnAccountOnceAndNotAfterItsTime() throws Exception {
        TestAccounts.add(accounts, new EmailAddress("ann@example.org"), "seven wet otters", "test");
        TestBrowser ann = browsers.getObject()
                .signIn("ann@example.org", "seven wet otters")
                .open("/accounts");
        ann.submit("/accounts/invite", Map.of("email", "bob@example.org"));
        String link = ann.page().select("code.secret").text();
        assertThat(ann.page().select("[data-copy]").attr("data-copied")).isEqualTo("Copied");
        String path = link.substring(link.indexOf("/welcome"));
        TestBrowser bob = browsers.getObject().open(path);
        assertThat(bob.text()).contains("bob@example.org");

        bob.submit("/welcome", Map.of("password", "nine dry badgers", "repeated", "nine dry badgers"));

        assertThat(bob.text()).contains("Your password is set");
        assertThat(browsers.getObject().open(path).text()).contains("no longer works");
        assertThat(bob.open("/accounts").page().select("tbody small").eachText())
                .as("who invited whom; nobody invited the first admin")
                .containsExactly("by ann@example.org");
    }
}
