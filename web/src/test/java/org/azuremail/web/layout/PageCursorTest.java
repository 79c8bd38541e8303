package org.azuremail.web.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.azuremail.web.api.Paging;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Checks that each table accepts its own cursors, and no others. */
@PageTest
class PageCursorTest {

    private static final List<String> WITH_A_SECOND_PAGE = List.of(
            "/subscribers?list=paged_one&cursor=",
            "/subscribers?list=paged_two&cursor=",
            "/subscribers?list=*&q=paged&cursor=",
            "/suppressions?cursor=");

    private static final List<String> OTHERS = List.of(
            "/events?before=",
            "/images?cursor=",
            "/jobs?cursor=",
            "/jobs-now?cursor=",
            "/messages?cursor=",
            "/outbox?cursor=",
            "/dead-letters?cursor=",
            "/dead-letters?queue=azuremailqueue&cursor=");

    @Autowired
    TestBrowser browser;

    @Autowired
    ListStore lists;

    @Autowired
    Subscriptions subscriptions;

    @Test
    void aCursorOfAnotherTableIsRefused() throws Exception {
        thereIsALot();
        Map<String, String> cursors = new LinkedHashMap<>();
        for (String table : WITH_A_SECOND_PAGE) {
            cursors.put(table, next(table));
            assertThat(cursors.get(table)).as(table).isNotEmpty();
        }

        for (String table : WITH_A_SECOND_PAGE) {
            cursors.forEach((other, cursor) -> assertThat(status(table + cursor))
                    .as("%s with a cursor of %s", table, other)
                    .isEqualTo(other.equals(table) ? 200 : 400));
        }
        for (String table : OTHERS) {
            cursors.forEach((other, cursor) -> assertThat(status(table + cursor))
                    .as("%s with a cursor of %s", table, other)
                    .isEqualTo(400));
        }
    }

    @Test
    void aDefectOfAFirstPageIsNotTakenForAnUnknownCursor() {
        IllegalArgumentException defect = new IllegalArgumentException("a defect");

        assertThatThrownBy(() -> PageCursor.read("a table", null, from -> {
                    throw defect;
                }))
                .isSameAs(defect);
        assertThatThrownBy(() -> new Paging("", null, 1).page((limit, from) -> {
                    throw defect;
                }))
                .isSameAs(defect);
    }

    private void thereIsALot() throws Exception {
        StringBuilder suppressed = new StringBuilder();
        for (String name : List.of("paged_one", "paged_two")) {
            ListName list = new ListName(name);
            Mailbox from = new Mailbox(new EmailAddress("a@example.org"), "");
            lists.create(MailingList.of(list, "", from, OptIn.DOUBLE, Instant.EPOCH));
            for (int i = 0; i < 51; i++) {
                EmailAddress email = new EmailAddress("paged" + i + "." + name + "@example.org");
                subscriptions.adminAdd(list, email, Profile.NONE, true, Origin.admin("test"));
                suppressed.append("suppressed-").append(email.value()).append('\n');
            }
        }
        browser.signIn()
                .open("/suppressions/new")
                .submit("/suppressions/new", Map.of("emails", suppressed.toString(), "why", "test"));
    }

    private String next(String table) throws Exception {
        return browser.open(table.replaceAll("[?&]cursor=$", ""))
                .page()
                .select(".pager a[href*=cursor=]")
                .attr("href")
                .replaceAll(".*cursor=|&.*", "");
    }

    private int status(String address) {
        try {
            return browser.open(address).status();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
