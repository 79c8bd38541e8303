package org.azuremail.web.membership;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.azuremail.listmail.ListIdentity;
import org.azuremail.listmail.ListMail;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.web.PageTest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletResponse;

/** Tests the page that the link in every list email opens. */
@PageTest
class LeavingPageTest extends MembershipSteps {

    @Test
    void e18_openingAsksCancelKeepsAndConfirmLeaves() throws Exception {
        String query = joined(true);

        browser.open("/unsubscribe?" + query);
        assertThat(browser.text()).contains("Do you want to unsubscribe st", "*@*******.edu from: Members & friends?");
        assertThat(browser.text()).doesNotContain(student.value());
        assertThat(state()).isEqualTo(SubscriberState.SUBSCRIBED);

        browser.submit("/unsubscribe", Map.of("answer", "cancel"));
        assertThat(browser.text()).contains("will NOT be unsubscribed from: Members & friends.");
        assertThat(state()).isEqualTo(SubscriberState.SUBSCRIBED);

        browser.open("/unsubscribe?" + query).submit("/unsubscribe", Map.of("answer", "confirm"));
        assertThat(browser.text()).contains("has been unsubscribed from: Members & friends.");
        assertThat(state()).isEqualTo(SubscriberState.UNSUBSCRIBED);

        assertThat(browser.open("/unsubscribe?" + query).text())
                .contains("You are already unsubscribed", "gets no email from this list");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '=',
            value = {
                "too-many=Gets too many emails",
                "not-relevant=The emails are not relevant",
                "never-subscribed=Says that they did not subscribe",
                "other=Another reason",
                "''=",
                "TOO_MANY_EMAILS="
            })
    void theReasonIsOptionalAndOnlyOneOfTheOptionsIsRecorded(String option, @Nullable String told) throws Exception {
        browser.open("/unsubscribe?" + joined(true));
        assertThat(browser.text()).contains("Why are you leaving? (optional)");

        browser.submit("/unsubscribe", Map.of("answer", "confirm", "reason", option));

        assertThat(state()).isEqualTo(SubscriberState.UNSUBSCRIBED);
        assertThat(subscriber()
                        .consent()
                        .latest(Declaration.Kind.LEFT)
                        .orElseThrow()
                        .detailText())
                .isEqualTo(told);
    }

    @Test
    void aDamagedLinkPromisesNothing() throws Exception {
        String query = joined(true);

        for (String damaged : List.of(query + "x", query.replace("&", "x&"), query.replace("members", "others"))) {
            browser.open("/unsubscribe?" + damaged);
            assertThat(browser.text())
                    .contains("No subscription belongs to this link", "open the link from that email itself")
                    .doesNotContain("gets no email");
        }
        assertThat(state()).isEqualTo(SubscriberState.SUBSCRIBED);
    }

    @Test
    void e18_guidOfOneListRemovesNobodyFromAnother() throws Exception {
        String query = joined(true);

        browser.postForged("/unsubscribe?" + query.replace("members", "others"), Map.of("answer", "confirm"));

        assertThat(browser.text()).contains("You are already unsubscribed");
        assertThat(state()).isEqualTo(SubscriberState.SUBSCRIBED);
    }

    @Test
    void e18_oneClickLeavesAtOnceWithoutCookieSignInTokenOrRedirect() throws Exception {
        String query = joined(true);

        MockHttpServletResponse answer = oneClick(query);

        assertThat(answer.getStatus()).isEqualTo(200);
        assertThat(answer.getHeader("Location")).isNull();
        assertThat(answer.getCookies()).isEmpty();
        assertThat(state()).isEqualTo(SubscriberState.UNSUBSCRIBED);
        assertThat(oneClick(query).getStatus()).isEqualTo(200);
    }

    @Test
    void postWithoutAnAnswerChangesNothing() throws Exception {
        String query = joined(true);

        browser.postForged("/unsubscribe?" + query, Map.of());

        assertThat(browser.status()).isEqualTo(400);
        assertThat(state()).isEqualTo(SubscriberState.SUBSCRIBED);
    }

    @Test
    void aTestEmailsLinkSaysSoAndChangesNothing() throws Exception {
        joined(true);
        String sample = ListMail.sample(
                        ListIdentity.of(lists.findActive(LIST).orElseThrow()),
                        URI.create("http://localhost"),
                        "7",
                        student,
                        List.of())
                .fields()
                .get("unsubscribe");
        String link = sample.substring("http://localhost".length());

        assertThat(browser.open(link).text()).contains("This was a test email", "nothing was changed");
        browser.postForged(link, Map.of("answer", "confirm"));
        assertThat(browser.text()).contains("This was a test email");
        browser.postForged(link, Map.of("answer", "cancel"));
        assertThat(browser.text()).contains("This was a test email");
        assertThat(oneClick(link.substring(link.indexOf('?') + 1)).getContentAsString())
                .isEqualTo("A test email. Nothing was changed.");
        assertThat(state()).isEqualTo(SubscriberState.SUBSCRIBED);
    }
}
