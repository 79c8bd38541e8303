package org.azuremail.watcher.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the formats of feeds as publishers use them. */
class FeedFormatsTest {

    private List<FeedEntry> read(String type, String body) throws FeedException {
        return read(type, body.getBytes(StandardCharsets.UTF_8));
    }

    private List<FeedEntry> read(String type, byte[] body) throws FeedException {
        return FeedReader.read(
                new FeedFetcher.Response(false, body, type, "", "", URI.create("http://x.example/feed")),
                FeedReader.MAX_ENTRIES);
    }

    private List<FeedEntry> rss(String items) throws FeedException {
        return read("application/rss+xml", "<rss version='2.0'><channel><title>T</title>" + items + "</channel></rss>");
    }

    private List<FeedEntry> atom(String attributes, String entry) throws FeedException {
        return read(
                "application/atom+xml",
                "<feed xmlns='http://www.w3.org/2005/Atom' %s><title>T</title><entry><id>1</id>%s</entry></feed>"
                        .formatted(attributes, entry));
    }

    private List<FeedEntry> json(String item) throws FeedException {
        return read("application/feed+json", "{\"items\":[" + item + "]}");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theLatestEntriesAreReadWhicheverComeFirst(boolean oldestFirst) throws FeedException {
        StringBuilder xml = new StringBuilder();
        StringBuilder json = new StringBuilder();
        for (int i = 0; i < 120; i++) {
            int day = oldestFirst ? i : 119 - i;
            Instant date = Instant.parse("2026-01-01T00:00:00Z").plus(Duration.ofDays(day));
            xml.append("<item><guid>%d</guid><title>%d</title><pubDate>%s</pubDate></item>"
                    .formatted(day, day, DateTimeFormatter.RFC_1123_DATE_TIME.format(date.atOffset(ZoneOffset.UTC))));
            json.append(i == 0 ? "" : ",")
                    .append("{\"id\":\"%d\",\"title\":\"%d\",\"date_published\":\"%s\"}".formatted(day, day, date));
        }
        List<String> latest = IntStream.range(20, 120).mapToObj(String::valueOf).toList();
        assertThat(rss(xml.toString())).extracting(FeedEntry::id).isEqualTo(latest);
        assertThat(json(json.toString())).extracting(FeedEntry::id).isEqualTo(latest);
    }

    @Test
    void aNoteWithoutTitleAndLinkIsAnEntry() throws FeedException {
        String note = "Just a few words, but so many of them that nobody would make a title of them as they are here.";
        assertThat(rss("<item><description>%s</description></item>".formatted(note)))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.title()).startsWith("Just a few words").hasSizeLessThanOrEqualTo(80);
                    assertThat(entry.summary()).isEqualTo(note);
                });
        assertThat(json("{\"id\":\"7\",\"content_text\":\"x < y\"}"))
                .extracting(FeedEntry::id, FeedEntry::title)
                .containsExactly(tuple("7", "x < y"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"javascript:alert(1)", "http://under_score.example/x", "mailto:a@example.org", "http://"})
    void aNoteWhoseLinkCannotBeShownIsAnEntry(String link) throws FeedException {
        assertThat(rss("<item><guid>1</guid><link>%s</link><description>Just a few words</description></item>"
                        .formatted(link)))
                .extracting(FeedEntry::title, FeedEntry::link)
                .containsExactly(tuple("Just a few words", ""));
    }

    /** Browsers accept such addresses, so publishers do not notice. */
    @ParameterizedTest
    @CsvSource({
        "http://news.example/a b?q=x|y, http://news.example/a%20b?q=x%7Cy",
        "/tag/[news]/{1}?a=^, http://x.example/tag/%5Bnews%5D/%7B1%7D?a=%5E",
        "/100%25/50%, http://x.example/100%25/50%25",
        "http://news.example/ü/ö?q=ß, http://news.example/%C3%BC/%C3%B6?q=%C3%9F"
    })
    void charactersThatALinkMayNotContainAreEncoded(String link, String encoded) throws FeedException {
        assertThat(rss("<item><title>T</title><link>%s</link></item>".formatted(link)))
                .extracting(FeedEntry::link)
                .containsExactly(encoded);
        assertThat(json("{\"id\":\"7\",\"title\":\"T\",\"url\":\"%s\"}".formatted(link)))
                .extracting(FeedEntry::link)
                .containsExactly(encoded);
    }

    @Test
    void longIdsDifferWhereverTheyDiffer() throws FeedException {
        String item = "<item><guid>" + "g".repeat(1500) + "%d</guid><title>t</title></item>";
        assertThat(rss(item.formatted(1) + item.formatted(2)))
                .extracting(FeedEntry::id)
                .hasSize(2)
                .doesNotHaveDuplicates()
                .allMatch(id -> id.length() <= 1000);
    }

    @Test
    void plainTextIsNotTakenForHtml() throws FeedException {
        String title = "List<String> vs Map<K,V> if a<b";
        String escaped = title.replace("<", "&lt;");
        assertThat(json("{\"id\":\"1\",\"title\":\"%s\",\"content_text\":\"%s\"}".formatted(title, title)))
                .allMatch(
                        entry -> entry.title().equals(title) && entry.summary().equals(title));
        assertThat(atom("", "<title>" + escaped + "</title><summary type='text'>" + escaped + "</summary>"))
                .allMatch(
                        entry -> entry.title().equals(title) && entry.summary().equals(title));
        assertThat(atom("", "<title type='html'>A &amp;lt; &lt;b&gt;B&lt;/b&gt;</title><link href='/a'/>"))
                .allMatch(entry -> entry.title().equals("A < B"));
    }

    /** RFC 7303, 3: a byte order mark decides, then the header, then the declaration, and otherwise it is UTF-8. */
    @ParameterizedTest
    @CsvSource({
        "UTF-8, text/xml, ''",
        "UTF-8, text/xml, '<?xml version=\"1.0\"?>'",
        "UTF-8, text/html, ''",
        "UTF-8, text/xml, '\uFEFF'",
        "UTF-8, text/xml; charset=iso-8859-1, '\uFEFF'",
        "UTF-8, text/xml; charset=none, ''",
        "UTF-8, application/rss+xml; charset=, ''",
        "UTF-8, application/rss+xml; charset=\"a b\", ''",
        "UTF-16LE, application/xml, '\uFEFF<?xml version=\"1.0\" encoding=\"utf-16\"?>'",
        "UTF-16LE, text/xml; charset=utf-16, '\uFEFF<?xml version=\"1.0\" encoding=\"utf-16\"?>'",
        "UTF-16BE, text/xml, '\uFEFF'",
        "windows-1252, text/xml, '<?xml version=\"1.0\" encoding=\"windows-1252\"?>'",
        "windows-1252, text/xml; charset=windows-1252, ''"
    })
    void textsAreReadInTheCharsetOfTheFeed(String charset, String type, String beginning) throws FeedException {
        String feed = beginning + "<rss version='2.0'><channel><title>T</title><item><title>Grüße, 5 €</title></item>"
                + "</channel></rss>";
        assertThat(read(type, feed.getBytes(Charset.forName(charset))))
                .extracting(FeedEntry::title)
                .containsExactly("Grüße, 5 €");
    }

    @Test
    void linksOfAtomAreRelativeToXmlBase() throws FeedException {
        assertThat(atom("xml:base='http://other.example/b/'", "<title>T</title><link href='a'/>"))
                .allMatch(entry -> entry.link().equals("http://other.example/b/a"));
        assertThat(atom("xml:base='/b/'", "<title>T</title><link xml:base='c/' href='a'/>"))
                .allMatch(entry -> entry.link().equals("http://x.example/b/c/a"));
        assertThat(atom("", "<title>T</title><link href='a'/>"))
                .allMatch(entry -> entry.link().equals("http://x.example/a"));
        assertThat(atom("xml:base='/b/'", "<title>T</title><link href='a b'/>"))
                .allMatch(entry -> entry.link().equals("http://x.example/b/a%20b"));
    }
}
