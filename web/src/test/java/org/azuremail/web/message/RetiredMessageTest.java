package org.azuremail.web.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.azuremail.delivery.reopen.Reopening;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Outcome;
import org.azuremail.time.ManualTime;
import org.azuremail.web.EndedMessage;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;

/** Tests a message whose outcomes of single recipients have been deleted. */
@PageTest
class RetiredMessageTest {

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @Autowired
    EndedMessage ended;

    @Autowired
    MessageStore store;

    @Autowired
    Reopening reopening;

    @Autowired
    ManualTime time;

    @Test
    void limitation11_itsPageSaysSoKeepsTheSumsAndDoesNotOfferToSendAgain() throws Exception {
        Message message = ended.completed(
                "retired_outcomes", Map.of("ann@example.org", Outcome.SENT, "bob@example.org", Outcome.FAILED));
        TestBrowser browser = browsers.getObject().signIn();
        String page = "/messages/" + message.ref();
        assertThat(browser.open(page).page().select("#again")).hasSize(1);

        store.changeArchived(message.datePartition(), message.ref(), old -> old.retired(time.instant()));

        browser.open(page);
        assertThat(browser.page().select("#again")).isEmpty();
        assertThat(browser.page().select("#retired").text()).contains("were removed on", "The totals stay");
        assertThat(browser.page().select(".legend li").eachText()).contains("Sent 1", "Failed 1");
        assertThat(browser.open(page + "/recipients?email=nobody@example.org").text())
                .contains("Not known any more", "were removed on")
                .doesNotContain("Not a recipient");
        assertThat(reopening.reopen(message.ref(), Set.of(Outcome.FAILED))).isEqualTo(Reopening.Answer.RETIRED);
        assertThat(store.findActive(message.ref())).isEmpty();
    }
}
