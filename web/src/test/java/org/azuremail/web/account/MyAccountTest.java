package org.azuremail.web.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.azuremail.attention.Admins;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Storage;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Checks what admins can change in their own accounts. */
@PageTest
class MyAccountTest {

    @Autowired
    TestBrowser browser;

    @Autowired
    Accounts accounts;

    @Autowired
    Storage storage;

    @Test
    void limitation32_anAdminTurnsTheEmailsOffAndOnAgain() throws Exception {
        browser.signIn().open("/account");
        EmailAddress me =
                new EmailAddress(browser.page().select("input[name=username]").val());
        Admins admins = new Admins(storage);
        assertThat(admins.alertRecipients()).contains(me);

        browser.submit("/account/alerts", Map.of("wanted", "false"));
        assertThat(browser.text()).contains("You get no more emails about problems.");
        assertThat(admins.alertRecipients()).doesNotContain(me);

        accounts.endSessions(me);
        browser.signIn().open("/account");
        browser.submit("/account/alerts", Map.of("wanted", "true"));
        assertThat(admins.alertRecipients()).contains(me);
    }

    @Test
    void nobodyIsEmailedWhoseAccountIsBeingRemoved() {
        EmailAddress leaving = new EmailAddress("leaving@alerts.test");
        EmailAddress remover = new EmailAddress("remover@alerts.test");
        TestAccounts.add(accounts, leaving, "nine quiet herons", "test");
        TestAccounts.add(accounts, remover, "nine quiet herons", "test");
        assertThat(new Admins(storage).alertRecipients()).contains(leaving, remover);

        accounts.beginRemoval(leaving, remover);

        assertThat(new Admins(storage).alertRecipients()).contains(remover).doesNotContain(leaving);
        accounts.finishRemoval(leaving);
    }
}
