package org.azuremail.web.subscriber;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.Test;

/** Checks how a subscriber is moved to another list. */
class SubscriberMoveTest extends OnSubscriberPages {

    @Test
    void limitation24_aSubscriberIsMovedToTheListChosenAndBothPagesSayWhere() throws Exception {
        ListName other = anotherList();
        add("mia@example.org", Map.of("name", "Mia", "verified", "true"));
        String link = "id=" + subscriber("mia@example.org").guid() + "&listName=" + list;
        edit("mia@example.org");
        assertThat(browser.page().select("#target option[selected]").attr("value"))
                .isEqualTo(list.value());

        browser.submit("/subscribers/edit", Map.of("target", other.value(), "name", "Mia M."));

        assertThat(browser.address()).contains("list=" + other);
        assertThat(browser.text())
                .contains("The subscriber has moved to this list.", "Mia M.", "Subscribed")
                .contains("Moved to another list", "by ann@example.org");
        assertThat(subscriber("mia@example.org").state()).isEqualTo(SubscriberState.UNSUBSCRIBED);
        browser.open("/subscribers/details?list=" + list + "&email=mia@example.org");
        assertThat(browser.text()).contains("Moved to mia@example.org on " + other);
        browser.open(browser.page().select("dd a[href*=details]").attr("href"));
        assertThat(browser.text()).contains("Gets this list’s email");
        assertThat(browsers.getObject().open("/unsubscribe?" + link).text()).contains("from: Another list");
    }

    @Test
    void whereSomebodyIsAlreadyOrHasLeftIsSaidAtTheListAndNothingIsSaved() throws Exception {
        ListName other = anotherList();
        EmailAddress noa = new EmailAddress("noa@example.org");
        subscriptions.adminAdd(other, noa, Profile.NONE, true, Origin.admin("test"));
        add("noa@example.org", Map.of("name", "Noa", "verified", "true"));

        edit("noa@example.org").submit("/subscribers/edit", Map.of("target", other.value(), "name", "Changed"));

        assertThat(browser.status()).isEqualTo(422);
        assertThat(browser.errorAt("target"))
                .isEqualTo("This address is already on the list " + other + " (Subscribed).");
        assertThat(browser.page().select("#target option[selected]").attr("value"))
                .isEqualTo(other.value());
        assertThat(subscriber("noa@example.org").profile().name()).isEqualTo("Noa");

        subscriptions.leave(other, noa, Origin.link(null));
        browser.submit("/subscribers/edit", Map.of());
        assertThat(browser.errorAt("target")).contains("was on the list " + other + " and unsubscribed");

        browser.submit("/subscribers/edit", Map.of("target", list.value()));
        assertThat(subscriber("noa@example.org").profile().name()).isEqualTo("Changed");
    }

    @Test
    void aListThatIsBeingDeletedIsNotOfferedAndRefusedWhenItGoesMeanwhile() throws Exception {
        ListName other = anotherList();
        add("lea@example.org", Map.of("verified", "true"));
        edit("lea@example.org");
        lists.markDeleting(other);

        browser.submit("/subscribers/edit", Map.of("target", other.value()));

        assertThat(browser.errorAt("target")).contains("The list " + other + " no longer exists or is being deleted");
        assertThat(subscriber("lea@example.org").verified()).isTrue();
        edit("lea@example.org");
        assertThat(browser.page().select("#target option").eachAttr("value"))
                .contains(list.value())
                .doesNotContain(other.value());
    }

    @Test
    void e19_savingTwiceMovesOnceAndAMoveMeanwhileRevivesNobody() throws Exception {
        ListName other = anotherList();
        add("kim@example.org", Map.of("verified", "true"));
        TestBrowser twice = browsers.getObject().signIn();
        TestBrowser elsewhere = browsers.getObject().signIn();
        String form = "/subscribers/edit?list=" + list + "&email=kim@example.org";
        browser.open(form);
        twice.open(form);
        elsewhere.open(form);
        Map<String, String> existing = Map.of("target", other.value(), "verified", "true");
        browser.submit("/subscribers/edit", existing);

        twice.submit("/subscribers/edit", existing);
        elsewhere.submit("/subscribers/edit", Map.of("name", "Kim", "verified", "true"));
        assertThat(elsewhere.text()).contains("was moved in the meantime: kim@example.org on " + other);
        elsewhere.submit("/subscribers/edit", Map.of());

        assertThat(twice.address()).contains("list=" + other);
        assertThat(elsewhere.text()).contains("was moved in the meantime");
        assertThat(subscriber("kim@example.org").verified()).isFalse();
    }
}
