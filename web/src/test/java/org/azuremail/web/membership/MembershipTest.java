package org.azuremail.web.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.request;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.azuremail.mail.EmailAddress;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.web.PageTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpMethod;

/** Checks the promises that the pages for confirming and for unsubscribing share. */
@PageTest
class MembershipTest extends MembershipSteps {

    @Test
    void afterAChangeOfAddressNoLinkOfBeforeShowsTheNewAddress() throws Exception {
        String confirmation = asked();
        String unsubscribe = "id=" + subscriber().guid() + "&listName=" + LIST;
        EmailAddress moved = new EmailAddress("zacharias" + people + "@elsewhere.example");
        subscriptions.move(
                new Membership(LIST, student),
                store.find(lists.findActive(LIST).orElseThrow(), student)
                        .orElseThrow()
                        .etag(),
                new Membership(LIST, moved),
                Origin.admin("test"));

        assertThat(browser.open("/subscribe?" + confirmation).text()).contains(DEAD);
        assertThat(browser.text()).doesNotContain("za*", "@", ".example");
        assertThat(browser.open("/unsubscribe?" + unsubscribe).text())
                .contains("Do you want to unsubscribe your address from: Members & friends?")
                .doesNotContain("za*", "@", ".example");
        browser.submit("/unsubscribe", Map.of("answer", "confirm"));
        assertThat(browser.text())
                .contains("Your address has been unsubscribed")
                .doesNotContain("@");
        assertThat(browser.open("/unsubscribe?" + unsubscribe).text())
                .contains("You are already unsubscribed")
                .doesNotContain("@");
        student = moved;
        assertThat(state()).isEqualTo(SubscriberState.UNSUBSCRIBED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "id=1.AAAAAAAAAAAAAAAAAAAAAA&listName=members",
                "id=no-guid-at-all&listName=members",
                "id=1.AAAAAAAAAAAAAAAAAAAAAA&listName=nowhere",
                "id=999.AAAAAAAAAAAAAAAAAAAAAA&listName=members",
                "id=1.AAAAAAAAAAAAAAAAAAAAAA&listName=%3Cb%3E%2F"
            })
    void defect12_unknownGuidIsAFriendlyPageNeverAFailure(String query) throws Exception {
        browser.open("/subscribe?" + query);
        assertThat(browser.status()).isEqualTo(200);
        assertThat(browser.text()).contains("This link does not work any more");
        browser.postForged("/subscribe?" + query, Map.of());
        assertThat(browser.status()).isEqualTo(200);

        browser.open("/unsubscribe?" + query);
        assertThat(browser.status()).isEqualTo(200);
        assertThat(browser.text()).contains("You are already unsubscribed");
        browser.postForged("/unsubscribe?" + query, Map.of("answer", "confirm"));
        assertThat(browser.text()).contains("You are already unsubscribed");
        assertThat(oneClick(query).getStatus()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "id=&listName=members", "id=1.AAAAAAAAAAAAAAAAAAAAAA", "listName=members"})
    void linkThatIsNotWholeSaysSo(String query) throws Exception {
        assertThat(browser.open("/unsubscribe?" + query).text()).contains("Empty subscriber ID or list name.");
        assertThat(browser.open("/subscribe?" + query).text()).contains("Empty subscriber ID or list name.");
        assertThat(oneClick(query).getStatus()).isEqualTo(400);
    }

    /** I5: a scanner's request to a link changes nothing, whatever its method. */
    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "OPTIONS"})
    void i5_noRequestButAPostConfirmsOrUnsubscribes(String method) throws Exception {
        String confirmation = asked();
        String unsubscribe = "id=" + subscriber().guid() + "&listName=" + LIST;
        for (String answer : List.of("", "&answer=confirm", "&answer=new-link", "&List-Unsubscribe=One-Click")) {
            mvc.perform(request(HttpMethod.valueOf(method), URI.create("/subscribe?" + confirmation + answer)));
            mvc.perform(request(HttpMethod.valueOf(method), URI.create("/unsubscribe?" + unsubscribe + answer)));
        }
        assertThat(state()).isEqualTo(SubscriberState.UNCONFIRMED);
        assertThat(requests()).isEqualTo(1);
    }
}
