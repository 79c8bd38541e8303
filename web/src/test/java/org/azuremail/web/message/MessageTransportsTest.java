package org.azuremail.web.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.Lists;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;

/** Checks that a transport that no list of a message uses, and that is not in the order, does not raise the rate. */
@PageTest
@TestPropertySource(
        properties = {
            "azuremail.mail.transports.own.kind=outbox",
            "azuremail.mail.transports.own.rate=10",
            "azuremail.mail.transports.kept.kind=outbox",
            "azuremail.mail.transports.kept.rate=2",
            "azuremail.mail.transports.unused.kind=outbox",
            "azuremail.mail.transports.unused.rate=100",
            "azuremail.mail.order=own"
        })
class MessageTransportsTest {

    private static final ListName USUAL = new ListName("usual");
    private static final ListName KEPT = new ListName("kept_here");

    @Autowired
    MessageTransports transports;

    @Autowired
    ListStore lists;

    @Autowired
    ManualTime time;

    @Test
    void theOrderCountsAndTheTransportThatAListChose() {
        lists.create(list(USUAL));
        lists.create(Lists.with(list(KEPT), "transport", "kept"));

        assertThat(transports.perSecond(List.of(USUAL))).hasValue(10);
        assertThat(transports.perSecond(List.of(KEPT))).hasValue(12);
        assertThat(transports.perSecond(List.of(USUAL, KEPT))).hasValue(12);
        assertThat(transports.toOutbox(List.of(KEPT))).isTrue();
    }

    private MailingList list(ListName name) {
        return MailingList.of(
                name, "", new Mailbox(new EmailAddress("a@example.org"), ""), OptIn.DOUBLE, time.instant());
    }
}
