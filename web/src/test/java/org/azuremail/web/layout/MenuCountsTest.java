package org.azuremail.web.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.message.Schedule;
import org.azuremail.reason.Reason;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.azuremail.work.queue.DeadLetter;
import org.azuremail.work.queue.DeadLetters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@PageTest
class MenuCountsTest {

    private static final ListName LIST = new ListName("counted");

    @Autowired
    TestBrowser browser;

    @Autowired
    SimulatedStorage storage;

    @Autowired
    ManualTime time;

    @Autowired
    ListStore lists;

    @Autowired
    Messages messages;

    @Autowired
    MessageStore store;

    @Autowired
    DeadLetters letters;

    @BeforeEach
    void nothingCallsForAction() throws Exception {
        removeAll();
        lists.create(MailingList.of(
                LIST, "News", new Mailbox(new EmailAddress("news@example.org"), ""), OptIn.DOUBLE, time.instant()));
        browser.signIn();
        time.advance(MenuCounts.CACHE_TTL);
    }

    @AfterEach
    void removeAll() {
        storage.hook(CallHook.NONE);
        store.unfinished().forEach(entry -> store.findActive(entry.ref()).ifPresent(messages::delete));
        letters.page(1000, null).items().forEach(letter -> letters.delete(letter.id()));
    }

    @Test
    void anEntryWithoutWorkShowsNoCount() throws Exception {
        assertThat(browser.open("/lists").page().select("nav .count")).isEmpty();
    }

    @Test
    void aDraftIsCountedAtMessagesInBothMenus() throws Exception {
        drafts(1);

        browser.open("/lists");

        assertThat(browser.page()
                        .select("nav a[href=/messages] .count .only-read")
                        .eachText())
                .containsExactly("1 draft", "1 draft");
        assertThat(browser.page()
                        .select("nav a[href=/messages] .count [aria-hidden=true]")
                        .eachText())
                .containsExactly("1", "1");
        assertThat(browser.page().select("nav a[href=/dead-letters] .count")).isEmpty();
    }

    @Test
    void manyAreShownAsMoreThan99() throws Exception {
        drafts(150);
        deadLetters(3);

        browser.open("/lists");

        assertThat(counts()).containsExactly("99+more than 99 drafts", "33 problems");
    }

    @Test
    void aNewDraftIsCountedWithinTheCachesTime() throws Exception {
        drafts(1);
        assertThat(browser.open("/lists").page().select("nav .count")).isNotEmpty();
        drafts(1);

        time.advance(MenuCounts.CACHE_TTL);

        browser.open("/lists");
        assertThat(counts()).containsExactly("22 drafts");
    }

    @Test
    void pagesShareOneReadForSomeSeconds() throws Exception {
        browser.open("/lists");
        List<String> reads = new ArrayList<>();
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.place().equals("deadletter") || call.partition().equals(".drafts")) {
                    reads.add(call.description());
                }
            }
        });

        browser.open("/lists").open("/fields");

        assertThat(reads).isEmpty();
    }

    @Test
    void aPageIsShownWithoutCountsIfTheyCannotBeRead() throws Exception {
        drafts(1);
        List<String> refused = new ArrayList<>();
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.place().equals("deadletter")) {
                    refused.add(call.description());
                    throw new StorageException(StorageException.Reason.TIMED_OUT, "no answer", null);
                }
            }
        });

        browser.open("/lists");

        assertThat(refused).hasSize(1);
        assertThat(browser.status()).isEqualTo(200);
        assertThat(browser.page().select(".count")).isEmpty();
    }

    @Test
    void errorPagesAndTheSignInPageShowNone() throws Exception {
        drafts(1);

        assertThat(browser.open("/lists/nope").status()).isEqualTo(404);
        assertThat(browser.page().select("nav a[href=/messages]")).isNotEmpty();
        assertThat(browser.page().select(".count")).isEmpty();
        browser.cookies().clear();
        assertThat(browser.open("/sign-in").page().select(".count")).isEmpty();
    }

    private List<String> counts() throws Exception {
        return browser.page().select(".side nav .count").eachText();
    }

    private void drafts(int number) {
        for (int i = 0; i < number; i++) {
            messages.create(new Messages.NewMessage(
                    LIST,
                    new Draft("News", "<p>News</p>".getBytes(StandardCharsets.UTF_8), null),
                    new Schedule(time.instant(), ZoneOffset.UTC),
                    OnUnknown.HOLD,
                    "ann@example.org",
                    true));
        }
    }

    private void deadLetters(int number) {
        for (int i = 0; i < number; i++) {
            letters.add(
                    DeadLetter.of("azuremailqueue", "m" + i, "no work", Reason.ofText("refused"), time.instant(), 5));
        }
    }
}
