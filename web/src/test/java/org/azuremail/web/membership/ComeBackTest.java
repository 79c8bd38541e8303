package org.azuremail.web.membership;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/**
 * Checks that people who have just unsubscribed can subscribe again with one click, and that nobody else can do so for
 * them.
 */
@PageTest
class ComeBackTest extends MembershipSteps {

    private static final Map<String, String> COME_BACK = Map.of("answer", "come-back");

    @Autowired
    ManualTime clock;

    @Test
    void oneClickOnThePageThatSaidSoSubscribesAgainAndIsRecorded() throws Exception {
        leave(joined(true));

        browser.submit("/unsubscribe", COME_BACK);

        assertThat(browser.text()).contains("You are subscribed again", masked());
        assertThat(state()).isEqualTo(SubscriberState.SUBSCRIBED);
        Declaration again =
                subscriber().consent().latest(Declaration.Kind.JOINED).orElseThrow();
        assertThat(again.how()).isEqualTo(Origin.Channel.LINK);
        assertThat(again.reason()).isEqualTo(Reason.of(ReasonCode.CAME_BACK));
        assertThat(again.detailText()).isEqualTo("subscribed again right after unsubscribing");
        assertThat(again.withDetail(again.detailText()).reason())
                .as("of an earlier version")
                .isEqualTo(again.reason());
        assertThat(store.departuresIn(LIST, subscriber().shard(), student.folded(), student.folded()))
                .isEmpty();
    }

    @Test
    void aSecondClickChangesNothingAndEachDepartureHasAProofOfItsOwn() throws Exception {
        String query = joined(true);
        leave(query);
        String first = proof();
        browser.submit("/unsubscribe", COME_BACK);
        int declared = subscriber().consent().declarations().size();

        post(query, first);
        assertThat(browser.text()).contains("You are subscribed again");
        assertThat(subscriber().consent().declarations()).hasSize(declared);

        leave(query);
        post(query, first);
        assertThat(browser.text()).contains("It is too late for that");
        assertThat(state()).isEqualTo(SubscriberState.UNSUBSCRIBED);
    }

    @Test
    void afterHalfAnHourItIsTooLate() throws Exception {
        leave(joined(true));
        clock.advance(Duration.ofMinutes(30));

        browser.submit("/unsubscribe", COME_BACK);

        assertThat(browser.text()).contains("It is too late for that");
        assertThat(state()).isEqualTo(SubscriberState.UNSUBSCRIBED);
    }

    @Test
    void theLinkOfAnEmailAloneBringsNobodyBack() throws Exception {
        String query = joined(true);
        leave(query);

        browser.open("/unsubscribe?" + query);
        assertThat(browser.page().select("[name=proof]")).isEmpty();
        browser.postForged("/unsubscribe?" + query, Map.of("answer", "confirm"));
        assertThat(browser.page().select("[name=proof]")).isEmpty();
        for (String forged : new String[] {"", "AAAAAAAAAAAAAAAAAAAAAA", query}) {
            post(query, forged);
        }
        browser.open("/unsubscribe?" + query + "&answer=come-back");

        assertThat(state()).isEqualTo(SubscriberState.UNSUBSCRIBED);
    }

    @Test
    void somebodyWhoHadNeverConfirmedIsNotSubscribedByIt() throws Exception {
        leave(joined(false));

        assertThat(browser.text()).contains("You are unsubscribed");
        assertThat(browser.page().select("[name=proof]")).isEmpty();
    }

    @Test
    void somebodyWhoWasSuppressedMeanwhileStaysSo() throws Exception {
        leave(joined(true));
        subscriptions.suppress(LIST, student, Origin.admin("test"));

        browser.submit("/unsubscribe", COME_BACK);

        assertThat(state()).isEqualTo(SubscriberState.SUPPRESSED);
    }

    private void leave(String query) throws Exception {
        browser.open("/unsubscribe?" + query).submit("/unsubscribe", Map.of("answer", "confirm"));
    }

    private String proof() throws Exception {
        return browser.page().select("[name=proof]").attr("value");
    }

    private void post(String query, String proof) throws Exception {
        browser.postForged("/unsubscribe?" + query, Map.of("answer", "come-back", "proof", proof));
    }
}
