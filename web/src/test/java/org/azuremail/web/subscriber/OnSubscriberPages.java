package org.azuremail.web.subscriber;

import java.util.Map;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;

/** Signs an admin in and creates a list for subscribers. */
@PageTest
abstract class OnSubscriberPages {

    private static int number;

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @Autowired
    ListStore lists;

    @Autowired
    Subscriptions subscriptions;

    @Autowired
    SubscriptionStore store;

    @Autowired
    ManualTime time;

    TestBrowser browser;
    ListName list;

    @BeforeEach
    void thereIsAList() throws Exception {
        list = new ListName("people_" + ++number);
        lists.create(MailingList.of(
                list, "People", new Mailbox(new EmailAddress("a@example.org"), ""), OptIn.DOUBLE, time.instant()));
        browser = browsers.getObject().signIn();
    }

    TestBrowser edit(String email) throws Exception {
        return browser.open("/subscribers/edit?list=" + list + "&email=" + email);
    }

    ListName anotherList() {
        ListName other = new ListName("others_" + ++number);
        lists.create(MailingList.of(
                other,
                "Another list",
                new Mailbox(new EmailAddress("a@example.org"), ""),
                OptIn.DOUBLE,
                time.instant()));
        return other;
    }

    void add(String email, Map<String, String> more) throws Exception {
        Map<String, String> fields = new java.util.TreeMap<>(more);
        fields.put("email", email);
        browser.open("/subscribers/new?list=" + list).submit("/subscribers/new", fields);
    }

    Subscriber subscriber(String email) {
        MailingList found = lists.findActive(list).orElseThrow();
        return store.find(found, new EmailAddress(email)).map(Versioned::value).orElseThrow();
    }
}
