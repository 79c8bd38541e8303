package org.azuremail.web.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
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

/** Signs an admin in and creates a list. */
@PageTest
abstract class OnMessagePages {

    private static final Set<String> RECIPIENTS = Set.of("when", "date", "time", "zone", "mailClass", "onUnknown");

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
        browser = browsers.getObject().signIn().writingMarkdown();
    }

    MessageRef pending(String subject) throws Exception {
        return scheduled(
                Map.of("subject", subject, "html", HTML, "text", "old text", "when", "later", "date", "2026-12-24"));
    }

    MessageRef scheduled(Map<String, String> fields) throws Exception {
        MessageRef ref = create(fields, Map.of());
        browser.submit("/messages/" + ref + "/schedule", Map.of());
        assertThat(browser.address()).as(browser.text()).isEqualTo("/messages/" + ref);
        return ref;
    }

    /** Creates a draft and opens its review. */
    MessageRef create(Map<String, String> fields, Map<String, byte[]> files) throws Exception {
        MessageRef ref = newMessage();
        Map<String, String> content = new HashMap<>(fields);
        content.keySet().removeAll(RECIPIENTS);
        browser.submit(edit(ref.toString()), content, files);
        assertThat(browser.address()).as(browser.text()).isEqualTo("/messages/" + ref + "/edit/recipients");
        Map<String, String> recipients = new HashMap<>(fields);
        recipients.keySet().retainAll(RECIPIENTS);
        browser.submit(edit(ref.toString()), recipients);
        assertThat(browser.address()).as(browser.text()).isEqualTo("/messages/" + ref + "/review");
        return ref;
    }

    /** Opens the first step of a new message. */
    MessageRef newMessage() throws Exception {
        String action = browser.open("/messages/new?list=readers")
                .page()
                .select("#composer")
                .attr("action");
        return MessageRef.parse(action.replaceAll("\\D", "")).orElseThrow();
    }

    TestBrowser recipients(MessageRef ref) throws Exception {
        return browser.open("/messages/" + ref + "/edit/recipients");
    }

    TestBrowser edit(MessageRef ref) throws Exception {
        return browser.open(edit(ref.toString()));
    }

    static String edit(String ref) {
        return "/messages/" + ref + "/edit";
    }

    /** Does the scheduler's first step for a due message. */
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
