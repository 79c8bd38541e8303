package org.azuremail.watcher.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.azuremail.reason.Reason;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.watcher.WatcherKind.PermanentWatcherException;
import org.azuremail.watcher.feed.FeedException.FeedReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks that entries which may have got a message between a backup and its restore get no second one. */
class FeedRestoreTest extends FeedTurns {

    @ParameterizedTest
    @CsvSource({"message, 0", "count, 0", "daily, 0", "draft, 2"})
    void entriesSinceTheBackupGetNoMessageButLaterOnesDo(String what, int drafts) throws PermanentWatcherException {
        set("what", what, "title", "Digest", "atHour", "9", "entries", "2");
        server.rss("a");
        turn();
        restoreAfter(Duration.ofDays(2));
        server.rss("c", "b", "a");

        turn();
        nextDay();
        assertThat(created()).hasSize(drafts);

        server.rss("e", "d", "c", "b", "a");
        turn();
        nextDay();
        assertThat(created()).hasSize(drafts + (what.equals("message") || what.equals("draft") ? 2 : 1));
    }

    @ParameterizedTest
    @CsvSource({"30, 0", "1, 1"})
    void entriesThatWaitedForADigestGetNoneIfItWasDueBeforeTheRestore(int hours, int digests)
            throws PermanentWatcherException {
        set("what", "daily", "title", "Digest", "atHour", "9");
        server.rss("a");
        turn();
        server.rss("b", "a");
        turn();
        restoreAfter(Duration.ofHours(hours));

        turn();
        nextDay();

        assertThat(created()).hasSize(digests);
    }

    @Test
    void whileTheFeedCannotBeReadAfterARestoreNothingIsSent() throws PermanentWatcherException {
        set("what", "daily", "title", "Digest", "atHour", "9");
        server.rss("a");
        turn();
        server.rss("b", "a");
        turn();
        restoreAfter(Duration.ofDays(2));

        server.replies(call -> FeedServer.status(call, 500));
        turn();
        assertThat(created()).isEmpty();
        server.rss("c", "b", "a");
        turn();
        nextDay();

        assertThat(created()).isEmpty();
        assertThat(result).isEqualTo(Reason.of(FeedReason.FEED_RESTORED, 2));
    }

    @Test
    void aFeedWithoutNewsSinceTheBackupIsNotInDoubtFromTheNextReadingOn() throws PermanentWatcherException {
        set("what", "message");
        server.rss("a");
        turn();
        restoreAfter(Duration.ofDays(2));
        turn();
        state = "";
        server.rss("b", "a");

        turn();

        assertThat(subjects()).containsExactly("b");
    }

    /** Lets time pass since the backup, and records a restore as {@code RestoreGuard} does. */
    private void restoreAfter(Duration sinceBackup) {
        time.advance(sinceBackup);
        TableStore tables = simulated.storage().tables();
        tables.write(
                "work",
                "installation",
                Write.upsert(
                        "restore",
                        Values.of("MadeAt", time.instant().minus(sinceBackup)).with("NoticedAt", time.instant())));
        time.advance(Duration.ofMinutes(1));
    }

    private void nextDay() throws PermanentWatcherException {
        time.advance(Duration.ofDays(1));
        turn();
    }
}
