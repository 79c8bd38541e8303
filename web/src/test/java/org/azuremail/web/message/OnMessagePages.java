package org.azuremail.web.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs.Bodies;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.storage.Versioned;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;

/** Somebody who is signed in, and a list to write to. */
@PageTest
abstract class OnMessagePages {

    static final String HTML = "<h1>Hello {{name|you}}</h1>";

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @Autowired
    ListStore lists;

    @Autowired
    Messages messages;

    @Autowired
    MessageStore store;

    @Autowired
    ManualTime time;

    TestBrowser browser;

    @BeforeEach
    void thereIsAList() throws Exception {
        lists.create(MailingList.of(
                new ListName("readers"),
                "Readers",
                new Mailbox(new EmailAddress("a@example.org"), ""),
                OptIn.DOUBLE,
                time.instant()));
        browser = browsers.getObject().signIn();
    }

    MessageRef pending(String subject) throws Exception {
        return create(
                Map.of("subject", subject, "html", HTML, "text", "old text", "when", "later", "date", "2026-12-24"),
                Map.of());
    }

    MessageRef create(Map<String, String> fields, Map<String, byte[]> files) throws Exception {
        browser.open("/messages/new?list=readers").submit("/messages/new", fields, files);
        assertThat(browser.address()).as(browser.text()).matches("/messages/\\d+(/send|\\?notice=message-made)");
        String number = browser.address().replaceAll("\\D", "");
        return MessageRef.parse(number).orElseThrow();
    }

    TestBrowser edit(MessageRef ref) throws Exception {
        return browser.open(edit(ref.toString()));
    }

    static String edit(String ref) {
        return "/messages/" + ref + "/edit";
    }

    /** What the scheduler does first when a message is due. */
    void take(MessageRef ref) {
        Versioned<Message> pending = messages.findActive(ref).orElseThrow();
        store.replace(pending, pending.value().become(MessageStatus.QUEUING));
    }

    Bodies bodies(MessageRef ref) {
        return messages.bodies(messages.find(ref).orElseThrow()).orElseThrow();
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
