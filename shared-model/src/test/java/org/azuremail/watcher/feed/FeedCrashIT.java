package org.azuremail.watcher.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.azuremail.gallery.Gallery;
import org.azuremail.gallery.Gallery.MessageTemplate;
import org.azuremail.gallery.Mjml;
import org.azuremail.message.Message;
import org.azuremail.message.Messages;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.Faults.Mode;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.watcher.WatcherKind.PermanentWatcherException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A watcher reads four new entries in two turns. In a third turn a digest is due, at noon of a Thursday and of the next
 * day, or of the next Thursday. With a fault at any of its storage calls, each entry is still in exactly one message,
 * and a digest is created once.
 */
class FeedCrashIT extends FeedTurns {

    private static final int MOST_CALLS = 300;

    /**
     * A short template, because the test renders thousands of messages, and the shipped one would take most of the
     * time.
     */
    private static final MessageTemplate SHORT = new MessageTemplate(
            "short", null, new Mjml("<mjml><mj-body><mj-raw>{{content}}</mj-raw></mj-body></mjml>"), false);

    /** The uses of entries, and the number of messages for four entries. */
    private enum What {
        DRAFT(4, Duration.ofDays(1)),
        MESSAGE(4, Duration.ofDays(1)),
        COUNT(2, Duration.ofDays(1)),
        DAILY(1, Duration.ofDays(1)),
        WEEKLY(1, Duration.ofDays(7));

        final int messages;
        final Duration period;

        What(int messages, Duration period) {
            this.messages = messages;
            this.period = period;
        }
    }

    private interface Step {
        void take() throws PermanentWatcherException;
    }

    static Stream<Arguments> whatAndMode() {
        return Stream.of(What.values()).flatMap(what -> Stream.of(Mode.values()).map(mode -> Arguments.of(what, mode)));
    }

    /** Runs the three turns. After a turn with a fault, another turn follows. */
    private void story(What what, Step turn) throws PermanentWatcherException {
        server.rss("c", "b", "a");
        turn.take();
        time.advance(Duration.ofHours(1));
        server.rss("e", "d", "c", "b", "a");
        turn.take();
        time.advance(what.period.minusHours(1));
        turn.take();
    }

    private void marked(What what) throws PermanentWatcherException {
        begin();
        new Gallery(simulated.storage().tables(), URI.create("http://localhost")).save(SHORT, null);
        set(
                "template",
                SHORT.name(),
                "what",
                what.name().toLowerCase(java.util.Locale.ROOT),
                "title",
                "News",
                "entries",
                "2",
                "atHour",
                "9",
                "weekday",
                "5");
        server.rss("a");
        turn();
    }

    private void allAreThereOnce(What what, String when) throws PermanentWatcherException {
        turn();
        time.advance(what.period);
        turn();
        List<Message> messages = created();
        assertThat(messages).as(when).hasSize(what.messages);
        String all = String.join("\n", messages.stream().map(this::html).toList());
        for (String entry : List.of("b", "c", "d", "e")) {
            assertThat(all.split("href=\"https://news.example/" + entry + "\"", -1))
                    .as("links to %s, %s", entry, when)
                    .hasSize(2);
        }
        assertThat(all).as(when).doesNotContain("https://news.example/a\"");
        assertThat(new FeedEntries(simulated.storage()).waiting(watcher()))
                .as(when)
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("whatAndMode")
    @DisplayName(
            "A71: one message for each entry, or for each digest, whichever call its process dies at or gets no answer of")
    void a71_whereverATurnBreaksOff(What what, Mode mode) throws PermanentWatcherException {
        boolean happened = true;
        for (long at = 1; happened; at++) {
            marked(what);
            Faults faults = new Faults(mode, at, () -> {});
            Storage storage = faults.around(simulated.storage());
            boolean[] broken = new boolean[1];
            story(what, () -> {
                try {
                    turn(broken[0] ? simulated.storage() : storage);
                } catch (ProcessDied | StorageException | IllegalStateException brokeOff) {
                    broken[0] = true;
                    turn();
                }
            });
            happened = faults.calls() >= at;
            allAreThereOnce(what, mode + " at call " + at);
            assertThat(at).isLessThan(MOST_CALLS);
        }
    }

    /** The process that appeared dead continues the turn that another one has taken meanwhile. */
    @ParameterizedTest
    @EnumSource(What.class)
    @DisplayName("A71: the same where another process takes the turn between any two of its calls")
    void a71_anotherProcessMayTakeTheSameTurnBetweenAnyTwoCalls(What what) throws PermanentWatcherException {
        boolean happened = true;
        for (long at = 1; happened; at++) {
            marked(what);
            Between between = new Between(at, () -> {});
            simulated.hook(between);
            story(what, () -> {
                between.state = state;
                between.result = result;
                turn();
            });
            simulated.hook(CallHook.NONE);
            happened = between.calls >= at;
            allAreThereOnce(what, "another turn before call " + at);
            assertThat(at).isLessThan(MOST_CALLS);
        }
    }

    /** An admin deletes the drafts of the process that took the turn meanwhile. */
    @Test
    void entriesWhoseMessagesAreDeletedMeanwhileGetNoOthers() throws PermanentWatcherException {
        boolean happened = true;
        for (long at = 1; happened; at++) {
            marked(What.DRAFT);
            server.rss("c", "b", "a");
            Between between = new Between(at, this::deleteAll);
            between.state = state;
            simulated.hook(between);
            turn();
            simulated.hook(CallHook.NONE);
            happened = between.calls >= at;
            turn();
            assertThat(created()).as("asleep at call %d", at).hasSize(happened ? 0 : 2);
        }
    }

    private void deleteAll() {
        Messages messages = messages(simulated.storage());
        for (Message draft : messages.active()) {
            assertThat(messages.delete(messages.findActive(draft.ref()).orElseThrow()))
                    .isTrue();
        }
    }

    /** Takes a whole turn before the call with this number, using the notes of the previous turn. */
    private final class Between implements CallHook {
        private final long at;
        private final Runnable afterTurn;
        private String state = "";
        private Reason result = Reason.NONE;
        private long calls;
        private boolean taking;

        Between(long at, Runnable afterTurn) {
            this.at = at;
            this.afterTurn = afterTurn;
        }

        @Override
        public void before(Call call) {
            if (taking || ++calls != at) {
                return;
            }
            taking = true;
            String stateOutside = FeedCrashIT.this.state;
            Reason resultOutside = FeedCrashIT.this.result;
            FeedCrashIT.this.state = state;
            FeedCrashIT.this.result = result;
            try {
                turn();
                afterTurn.run();
            } catch (PermanentWatcherException e) {
                throw new AssertionError(e);
            } finally {
                FeedCrashIT.this.state = stateOutside;
                FeedCrashIT.this.result = resultOutside;
                taking = false;
            }
        }
    }

    @Test
    void aFirstReadingThatBreaksOffSendsNothingOld() throws PermanentWatcherException {
        for (long at = 1, done = 0; done == 0; at++) {
            begin();
            server.rss("b", "a");
            Faults faults = new Faults(Mode.DIES_AFTER, at, () -> {});
            try {
                turn(faults.around(simulated.storage()));
            } catch (ProcessDied brokeOff) {
                faults.disarm();
            }
            done = faults.calls() < at ? 1 : 0;
            turn();
            assertThat(subjects()).as("at call %d", at).isEmpty();
        }
    }
}
