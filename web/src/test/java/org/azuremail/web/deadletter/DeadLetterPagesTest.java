package org.azuremail.web.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.azuremail.reason.Reason;
import org.azuremail.time.Time;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.azuremail.work.queue.DeadLetter;
import org.azuremail.work.queue.DeadLetters;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@PageTest
class DeadLetterPagesTest {

    @Autowired
    TestBrowser browser;

    @Autowired
    DeadLetters letters;

    @Autowired
    Time time;

    @Test
    void deadLetterIsShownWithItsReasonAndRestored() throws Exception {
        DeadLetter letter = given("one", "2026-01-01,7,\"o,o\"@example.org,0", "550 <script>no</script>");
        browser.signIn().open("/dead-letters");
        assertThat(browser.text()).contains(letter.text(), "550 <script>no</script>", "azuremailqueue");

        browser.submit("/dead-letters/restore", Map.of("id", letter.id()));

        assertThat(browser.text()).contains("The work is back in its queue");
        assertThat(letters.find(letter.id())).isEmpty();
    }

    @Test
    void deletingAsksFirst() throws Exception {
        DeadLetter letter = given("two", "2026-01-01,8,@1:1,0", "no reason");
        browser.signIn().open("/dead-letters");
        browser.open(browser.page()
                .select("tr:contains(" + letter.text() + ") a[href*=delete]")
                .attr("href"));
        assertThat(browser.text()).contains("Delete this dead letter?", letter.text());
        assertThat(letters.find(letter.id())).isPresent();

        browser.submit("/dead-letters/delete", Map.of());

        assertThat(letters.find(letter.id())).isEmpty();
    }

    private DeadLetter given(String id, String text, String reason) {
        DeadLetter letter = DeadLetter.of("azuremailqueue", id, text, Reason.ofText(reason), time.instant(), 5);
        letters.add(letter);
        return letter;
    }
}
