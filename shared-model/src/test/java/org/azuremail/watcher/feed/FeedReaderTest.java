package org.azuremail.watcher.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks feeds that are designed to keep the reader busy, which reads one feed at a time. */
class FeedReaderTest {

    private static List<FeedEntry> read(String item) throws FeedException {
        String rss = "<rss version='2.0'><channel><title>T</title><item>" + item + "</item></channel></rss>";
        return FeedReader.read(
                new FeedFetcher.Response(
                        false,
                        rss.getBytes(StandardCharsets.UTF_8),
                        "application/rss+xml",
                        "",
                        "",
                        URI.create("https://news.example/feed")),
                FeedReader.MAX_ENTRIES);
    }

    private static String html(String element, String html) {
        return "<" + element + "><![CDATA[" + html + "]]></" + element + ">";
    }

    /** A title of a megabyte once took 15 seconds, and all feeds waited. */
    @ParameterizedTest
    @ValueSource(strings = {"title", "description"})
    void theTimeGrowsAsTheTextDoes(String element) throws FeedException {
        String pattern = "<table><b>";
        time(html(element, pattern.repeat(100)));
        long one = time(html(element, pattern.repeat(10_000)));
        long four = time(html(element, pattern.repeat(40_000)));
        assertThat(four).isLessThan(8 * one + 200_000_000L);
    }

    private static long time(String text) throws FeedException {
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        assertThat(read("<link>/one</link>" + text)).hasSize(1);
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
    }

    @Test
    void theBeginningOfALongTitleIsShown() throws FeedException {
        String title = "<b>News</b> of ".repeat(1_000);
        FeedEntry entry = read("<link>/one</link>" + html("title", title)).get(0);
        assertThat(entry.title()).startsWith("News of News of ").endsWith("…").hasSize(FeedEntry.MAX_TITLE_LENGTH);
    }
}
