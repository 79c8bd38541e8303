package org.azuremail.web.list;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.azuremail.delivery.SampleMessages;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.subscription.SampleLists;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Checks that the samples contain a sent message and a draft, and that no email of theirs is ever sent. */
@PageTest
class SampleMessagesTest {

    @Autowired
    TestBrowser browser;

    @Autowired
    Messages messages;

    @Autowired
    MessageStore store;

    @Autowired
    SampleLists lists;

    @Autowired
    SampleMessages samples;

    @Test
    void aSentMessageAndADraftAreLoadedOnceAndNothingIsToBeSent() throws Exception {
        browser.signIn();
        load();
        Message sent = messages.find(SampleMessages.SENT).orElseThrow();

        load();

        assertThat(sent.status()).isEqualTo(MessageStatus.COMPLETED);
        assertThat(sent.keptAsDraft()).isFalse();
        assertThat(sent.result().recipients()).isGreaterThan(20);
        assertThat(messages.find(SampleMessages.SENT)).contains(sent);
        assertThat(store.findActive(SampleMessages.SENT)).isEmpty();
        assertThat(messages.find(SampleMessages.DRAFT).orElseThrow().keptAsDraft())
                .isTrue();
        assertThat(store.active())
                .noneMatch(entry ->
                        entry.ref().equals(SampleMessages.SENT) || entry.ref().equals(SampleMessages.DRAFT));
        assertThat(browser.open("/messages/" + SampleMessages.SENT).status()).isEqualTo(200);
        assertThat(browser.open("/messages").textOfAllPages()).contains(sent.subject());
        assertThat(browser.open("/messages?tab=sent").textOfAllPages()).contains("Job postings of the month");
    }

    @Test
    void loadedByTwoAdminsAtOnceTheyAreThereOnce() {
        lists.load(Origin.admin("ann@example.org"));
        List<CompletableFuture<Void>> both = Stream.of("ann@example.org", "bob@example.org")
                .map(me -> CompletableFuture.runAsync(() -> samples.load(me)))
                .toList();
        both.forEach(CompletableFuture::join);

        Message sent = messages.find(SampleMessages.SENT).orElseThrow();
        assertThat(sent.status()).isEqualTo(MessageStatus.COMPLETED);
        assertThat(sent.created().at()).as("before it was sent").isEqualTo(sent.scheduledDate());
        assertThat(store.findActive(SampleMessages.SENT)).isEmpty();
        assertThat(messages.find(SampleMessages.DRAFT)).isPresent();
    }

    private void load() throws Exception {
        browser.open("/lists").submit("/lists/samples", Map.of());
    }
}
