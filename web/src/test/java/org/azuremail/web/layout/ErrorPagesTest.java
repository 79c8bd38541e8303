package org.azuremail.web.layout;

import static org.assertj.core.api.Assertions.assertThat;

import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@PageTest
class ErrorPagesTest {

    @Autowired
    TestBrowser browser;

    @Autowired
    SimulatedStorage storage;

    @AfterEach
    void storageIsWellAgain() {
        storage.hook(CallHook.NONE);
    }

    @Test
    void storageThatDoesNotAnswerIsAPageOfItsOwn() throws Exception {
        browser.signIn();
        failing("mailinglist");

        browser.open("/lists");

        assertThat(browser.status()).isEqualTo(503);
        assertThat(browser.text()).contains("Timeout error, try again.");
    }

    private void failing(String table) {
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.place().equals(table)) {
                    throw new StorageException(StorageException.Reason.TIMED_OUT, "no answer", null);
                }
            }
        });
    }

    @Test
    void noticeCannotBePutIntoOurMouth() throws Exception {
        browser.signIn().open("/lists?notice=Your%20account%20is%20locked");
        assertThat(browser.text()).doesNotContain("locked");

        browser.open("/lists?notice=no-such-code");
        assertThat(browser.page().select(".notice")).isEmpty();
    }
}
