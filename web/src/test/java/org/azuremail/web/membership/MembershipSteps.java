package org.azuremail.web.membership;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.ConfirmationClaims;
import org.azuremail.subscription.ConfirmationClaims.ClaimResult;
import org.azuremail.subscription.ConfirmationClaims.ConfirmationItem;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.time.Time;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;

/** A person who is on no list yet, and the steps that lead to a link. */
abstract class MembershipSteps {

    static final ListName LIST = new ListName("members");
    static final String DEAD = "This link does not work any more";
    static int people;

    @Autowired
    MockMvc mvc;

    @Autowired
    TestBrowser browser;

    @Autowired
    ListStore lists;

    @Autowired
    Subscriptions subscriptions;

    @Autowired
    ConfirmationClaims claims;

    @Autowired
    SubscriptionStore store;

    @Autowired
    Time time;

    EmailAddress student;

    @BeforeEach
    void somebodyIsOnTheList() {
        lists.create(MailingList.of(
                LIST,
                "Members & friends",
                new Mailbox(new EmailAddress("a@example.org"), ""),
                OptIn.DOUBLE,
                time.instant()));
        student = new EmailAddress("student" + ++people + "@contoso.edu");
    }

    final MockHttpServletResponse oneClick(String query) throws Exception {
        return mvc.perform(post("/unsubscribe?" + query)
                        .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                        .content("List-Unsubscribe=One-Click"))
                .andReturn()
                .getResponse();
    }

    /** Asks to join, and returns the parameters of the link in the email. */
    final String asked() {
        subscriptions.subscribe(LIST, student, Profile.NONE, Origin.api("partner", null));
        return mailed();
    }

    final String mailed() {
        ClaimResult claimed = claims.claim(new ConfirmationItem(subscriber().guid(), LIST));
        return "id=" + ((ClaimResult.Claimed) claimed).claim().link().id() + "&listName=" + LIST;
    }

    final long requests() {
        return subscriber().consent().declarations().stream()
                .filter(one -> one.kind() == Declaration.Kind.ASKED_TO_JOIN
                        || one.kind() == Declaration.Kind.CONFIRMATION_REQUESTED)
                .count();
    }

    final String masked() {
        return student.masked();
    }

    final String joined(boolean verified) {
        subscriptions.adminAdd(LIST, student, Profile.NONE, verified, Origin.admin("test"));
        return "id=" + subscriber().guid() + "&listName=" + LIST;
    }

    final SubscriberState state() {
        return subscriber().state();
    }

    final Subscriber subscriber() {
        MailingList list = lists.findActive(LIST).orElseThrow();
        return store.find(list, student).map(Versioned::value).orElseThrow();
    }
}
