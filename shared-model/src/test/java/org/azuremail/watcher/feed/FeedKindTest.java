package org.azuremail.watcher.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.azuremail.delivery.reopen.LastRestore;
import org.azuremail.message.Message;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Storage;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.time.ManualTime;
import org.azuremail.watcher.Watcher;
import org.azuremail.watcher.WatcherKind.PermanentWatcherException;
import org.azuremail.watcher.WatcherKind.TurnResult;
import org.azuremail.watcher.WatcherStatus;
import org.azuremail.watcher.feed.FeedException.FeedReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Turns feeds of a real server on loopback into messages on a simulated storage. */
class FeedKindTest extends FeedTurns {

    @Test
    void theFirstReadingOnlyMarksAndLaterEntriesGetOneMessageEachHoweverTheyAreEdited()
            throws PermanentWatcherException {
        server.rss("b", "a");
        turn();
        assertThat(subjects()).isEmpty();
        assertThat(result).isEqualTo(Reason.of(FeedReason.FEED_MARKED, 2));
        server.rss("d", "c", "b", "a");
        turn();
        assertThat(subjects()).containsExactly("c", "d");
        assertThat(result).isEqualTo(Reason.of(FeedReason.FEED_NEW, 2));
        server.says(FeedServer.item("d", "d, corrected") + FeedServer.item("a", "a, corrected"));
        turn();
        server.rss("d", "c", "b", "a");
        turn();
        state = "";
        turn();
        assertThat(subjects()).containsExactly("c", "d");
        assertThat(rest).isEqualTo(Duration.ofMinutes(30));
    }

    /** A feed of 150 entries: once some of the latest are removed, earlier ones are among the latest 100. */
    @ParameterizedTest
    @CsvSource({"mark, 0", "send, 100"})
    void noEntryOfTheFirstReadingIsNewLater(String first, int messages) throws PermanentWatcherException {
        set("first", first);
        server.rss(titles(0, 150));
        turn();
        server.rss(titles(60, 150));
        turn();
        state = "";
        turn();
        assertThat(subjects()).hasSize(messages);
        server.rss(titles(-1, 150));
        turn();
        assertThat(subjects()).hasSize(messages + 1).contains("-1");
    }

    private static String[] titles(int from, int to) {
        return IntStream.range(from, to).mapToObj(String::valueOf).toArray(String[]::new);
    }

    @Test
    void aFeedWithoutNewsCostsNoStorageCall() throws PermanentWatcherException {
        server.rss("a");
        turn();
        turn();
        Faults counted = Faults.none();
        Storage storage = counted.around(simulated.storage());
        FeedKind kind = new FeedKind(
                fetch,
                new FeedEntries(storage),
                messages(simulated.storage()),
                new LastRestore(simulated.storage()),
                time);
        Watcher.Progress progress = new Watcher.Progress(state, null, null, result, 0, false);
        Watcher watcher = new Watcher(
                "news",
                "feed",
                settings,
                Map.of(),
                ManualTime.START,
                ManualTime.START,
                WatcherStatus.PROCESSING,
                "s",
                null,
                progress);
        TurnResult next = kind.turn(watcher, () -> false);
        assertThat(counted.calls()).isZero();
        assertThat(next.state()).isEqualTo(state);
        assertThat(next.result())
                .as("the same, so that the watcher's row is not written")
                .isEqualTo(result);
    }

    /** O7. */
    @Test
    void aTurnThatFailsIsTriedAgainForEverAtLastEverySixHours() {
        Storage storage = simulated.storage();
        FeedKind kind =
                new FeedKind(fetch, new FeedEntries(storage), messages(storage), new LastRestore(storage), time);
        assertThat(IntStream.of(1, 2, 3, 9, 10, 1_000)
                        .mapToObj(kind::retry)
                        .map(java.util.Optional::orElseThrow)
                        .map(Duration::toMinutes))
                .containsExactly(1L, 2L, 4L, 256L, 360L, 360L);
    }

    /** Not every server supports ETags. */
    @Test
    void aServerIsToldTheDateThatItGave() throws PermanentWatcherException {
        String date = "Thu, 01 Jan 2026 12:00:00 GMT";
        List<String> told = new java.util.concurrent.CopyOnWriteArrayList<>();
        server.replies(call -> {
            told.add(String.valueOf(call.getRequestHeaders().getFirst("If-Modified-Since")));
            if (date.equals(call.getRequestHeaders().getFirst("If-Modified-Since"))) {
                FeedServer.status(call, 304);
                return;
            }
            call.getResponseHeaders().set("Last-Modified", date);
            FeedServer.text(
                    call,
                    "<rss version='2.0'><channel><title>T</title>" + FeedServer.item("1", "1") + "</channel></rss>");
        });
        turn();
        turn();
        turn();
        assertThat(told).containsExactly("null", date, date);
        assertThat(result).isEqualTo(Reason.of(FeedReason.FEED_MARKED, 1));
    }

    @Test
    void aMessageHasTheTemplateThatTheSettingsName() throws PermanentWatcherException {
        set("first", "send", "template", "announcement");
        server.rss("a");
        turn();
        Message message = created().get(0);
        assertThat(message.keptAsDraft()).isFalse();
        assertThat(messages(simulated.storage())
                        .source(message)
                        .orElseThrow()
                        .layout()
                        .template())
                .isEqualTo("announcement");
    }

    @ParameterizedTest
    @CsvSource({
        // one turn each hour for a fortnight from Thursday, noon UTC; an entry with each of the first nine
        "daily, 2026-01-02T08:00:00Z, 9",
        "weekly, 2026-01-05T08:00:00Z, 9",
        "count, 2026-01-01T16:00:00Z, 4"
    })
    void digestsComeAtTheirHourOrSize(String what, Instant first, int entries) throws PermanentWatcherException {
        set(
                "what",
                what,
                "title",
                "This week",
                "atHour",
                "9",
                "zone",
                "Europe/Berlin",
                "entries",
                "4",
                "minutes",
                "60");
        server.rss("0");
        turn();
        List<String> titles = new ArrayList<>(List.of("0"));
        for (int hour = 1; hour < 14 * 24; hour++) {
            time.advance(Duration.ofHours(1));
            if (hour <= 9) {
                titles.add(0, String.valueOf(hour));
                server.rss(titles.toArray(String[]::new));
            }
            turn();
        }
        List<Message> all = created();
        assertThat(all).hasSize(what.equals("count") ? 2 : 1);
        Message digest = all.get(0);
        assertThat(digest.subject()).isEqualTo("This week");
        assertThat(digest.schedule().due()).isEqualTo(first);
        assertThat(html(digest).split("https://news.example/", -1)).hasSize(1 + entries);
    }

    @Test
    void theThreeFormatsAreRead() throws PermanentWatcherException {
        set("what", "draft", "first", "send");
        String html =
                "&lt;p&gt;Hello &lt;b&gt;all&lt;/b&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src='/pic.png'&gt;";
        List<String[]> formats = List.of(
                new String[] {
                    "application/rss+xml",
                    "<rss version='2.0'><channel><title>T</title><item><guid>1</guid><title>Title {{email}}</title>"
                            + "<link>/one</link><description>" + html + "</description></item></channel></rss>"
                },
                new String[] {
                    "application/atom+xml",
                    "<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title><id>f</id><entry><id>1</id>"
                            + "<title>Title {{email}}</title><link href='" + server.at("127.0.0.1", "/one")
                            + "'/><summary type='html'>" + html + "</summary></entry></feed>"
                },
                new String[] {
                    "application/feed+json",
                    "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"T\",\"items\":[{\"id\":\"1\",\"title\":"
                            + "\"Title {{email}}\",\"url\":\"/one\",\"content_html\":\"<p>Hello <b>all</b><script>alert(1)"
                            + "</script><img src='/pic.png'>\"}]}"
                });
        for (String[] format : formats) {
            begin();
            server.body(format[0], format[1]);
            turn();
            Message draft = created().get(0);
            assertThat(draft.subject()).isEqualTo("Title { {email}}");
            assertThat(draft.keptAsDraft()).isTrue();
            assertThat(html(draft))
                    .contains(
                            "Hello all",
                            server.at("127.0.0.1", "/one").toString(),
                            server.at("127.0.0.1", "/pic.png").toString())
                    .doesNotContain("alert(1)", "{{email}}");
        }
    }

    @Test
    void anotherFeedMayUseTheSameIds() throws PermanentWatcherException {
        server.rss("3", "2", "1");
        turn();
        set("address", server.at("127.0.0.1", "/other").toString());
        server.rss("2", "1");
        turn();
        assertThat(result).isEqualTo(Reason.of(FeedReason.FEED_MARKED, 2));
        server.rss("3", "2", "1");
        turn();
        assertThat(subjects()).containsExactly("3");
    }

    @Test
    void idsWithHalfAnEmojiAreReadLikeOthers() throws PermanentWatcherException {
        server.rss("a");
        turn();
        String whole = "\uD83D\uDE00";
        server.says(FeedServer.item("g".repeat(499) + whole + "g".repeat(600), "cut"));
        turn();
        server.body("application/feed+json", """
                {"version": "https://jsonfeed.org/version/1.1", "title": "T", "items": [
                  {"id": "x\\ud83d", "title": "half", "url": "/half"}]}""");
        turn();
        turn();
        assertThat(subjects()).containsExactly("cut", "half");
    }

    @ParameterizedTest
    @CsvSource({
        "address, http://127.0.0.1 x, feed-address",
        "address, http://me:secret@example.org/, feed-address",
        "list, '', feed-list",
        "what, everything, feed-what",
        "what, me\u017F\u017Fage, feed-what",
        "minutes, 4, feed-minutes",
        "minutes, 99999999999, feed-minutes",
        "weekday, 8, feed-weekday",
        "atHour, 24, feed-hour",
        "zone, Mars/Base, feed-zone",
        "entries, 1, feed-entries",
        "what, daily, feed-title-missing",
        "title, '{{name}}', feed-title",
        "template, ../x, feed-template",
        "first, Send, feed-first"
    })
    void settingsAreChecked(String name, String value, String fault) {
        set(name, value);
        assertThat(FeedSettings.faults(settings)).containsValue(fault).hasSize(1);
    }
}
