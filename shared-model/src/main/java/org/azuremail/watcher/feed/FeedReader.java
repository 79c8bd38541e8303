package org.azuremail.watcher.feed;

import com.rometools.rome.feed.synd.SyndContent;
import com.rometools.rome.feed.synd.SyndEntry;
import com.rometools.rome.io.SyndFeedInput;
import com.rometools.rome.io.XmlReader;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jdom2.Element;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads RSS, Atom and JSON feeds. A document type declaration is refused, and with it every XML bomb. */
final class FeedReader {

    /** More entries than these, the latest, are not looked at. */
    static final int MOST_ENTRIES = 100;

    private static final int LONGEST_HTML = 50_000;

    private static final int MOST_DEEP = 100;

    /** Elements and attributes together: readers need more than linear time for many of one element. */
    private static final int MOST_ELEMENTS = 100_000;

    private static final int MOST_ATTRIBUTES = 100;

    private static final XMLInputFactory XML = XMLInputFactory.newDefaultFactory();

    static {
        XML.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        XML.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    }

    private static final JsonMapper JSON = JsonMapper.shared();

    private FeedReader() {}

    /** The entries, each once, oldest first. One feed at a time is held as a tree, which is many times as large as its text. */
    static synchronized List<FeedEntry> read(FeedFetch.Answer answer) throws FeedTrouble {
        List<FeedEntry> newestFirst;
        try {
            newestFirst = begins(answer.body(), '{') ? json(answer) : xml(answer);
        } catch (FeedTrouble e) {
            throw e;
        } catch (Exception | StackOverflowError e) {
            throw new FeedTrouble(FeedReason.FEED_UNREADABLE, FeedFetch.shown(String.valueOf(e.getMessage())));
        }
        List<FeedEntry> oldestFirst = new ArrayList<>();
        newestFirst.stream()
                .filter(entry -> !entry.id().isBlank())
                .filter(entry -> !entry.title().isEmpty() || !entry.link().isEmpty())
                .filter(entry ->
                        oldestFirst.stream().noneMatch(other -> other.id().equals(entry.id())))
                .limit(MOST_ENTRIES)
                .forEach(oldestFirst::add);
        Collections.reverse(oldestFirst);
        return oldestFirst;
    }

    private static boolean begins(byte[] body, char first) {
        for (byte b : body) {
            boolean skipped = b <= ' ';
            if (!skipped) {
                return b == first;
            }
        }
        return false;
    }

    private static List<FeedEntry> xml(FeedFetch.Answer answer) throws Exception {
        String text;
        try (XmlReader xml = new XmlReader(
                new ByteArrayInputStream(answer.body()),
                answer.contentType().isEmpty() ? null : answer.contentType(),
                true)) {
            StringWriter whole = new StringWriter();
            xml.transferTo(whole);
            text = whole.toString();
        }
        checkShape(text);
        return new SyndFeedInput()
                .build(new StringReader(text)).getEntries().stream()
                        .limit(MOST_ENTRIES)
                        .map(entry -> entry(answer.from(), entry))
                        .toList();
    }

    /** The tree takes a time that grows with the square of its depth and of its attributes, and much memory for each element. */
    private static void checkShape(String text) throws XMLStreamException, FeedTrouble {
        XMLStreamReader events = XML.createXMLStreamReader(new StringReader(text));
        int depth = 0;
        int elements = 0;
        int attributes = 0;
        while (events.hasNext()) {
            switch (events.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    attributes = events.getAttributeCount() + events.getNamespaceCount();
                    elements += 1 + attributes;
                    depth++;
                }
                case XMLStreamConstants.END_ELEMENT -> depth--;
                case XMLStreamConstants.DTD -> throw new FeedTrouble(FeedReason.FEED_UNREADABLE, "DOCTYPE");
                default -> {}
            }
            if (depth > MOST_DEEP || elements > MOST_ELEMENTS || attributes > MOST_ATTRIBUTES) {
                throw new FeedTrouble(FeedReason.FEED_UNREADABLE, "too many elements or attributes");
            }
        }
    }

    private static FeedEntry entry(URI from, SyndEntry entry) {
        String html = Stream.concat(Stream.ofNullable(entry.getDescription()), entry.getContents().stream())
                .map(SyndContent::getValue)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("");
        String image = entry.getEnclosures().stream()
                .filter(enclosure -> text(enclosure.getType()).startsWith("image/"))
                .map(enclosure -> text(enclosure.getUrl()))
                .findFirst()
                .or(() -> media(entry))
                .orElse("");
        return entry(from, entry.getUri(), text(entry.getTitle()), text(entry.getLink()), html, image);
    }

    /** From Media RSS. */
    private static Optional<String> media(SyndEntry entry) {
        return entry.getForeignMarkup().stream()
                .filter(FeedReader::isImage)
                .map(FeedReader::url)
                .filter(url -> !url.isEmpty())
                .findFirst();
    }

    private static boolean isImage(Element element) {
        boolean image = text(element.getAttributeValue("medium")).equals("image")
                || text(element.getAttributeValue("type")).startsWith("image/");
        return element.getName().equals("thumbnail") || (element.getName().equals("content") && image);
    }

    private static String url(Element element) {
        return text(element.getAttributeValue("url"));
    }

    private static List<FeedEntry> json(FeedFetch.Answer answer) throws FeedTrouble {
        JsonNode feed = JSON.readTree(answer.body());
        if (!feed.path("items").isArray()) {
            throw new FeedTrouble(FeedReason.FEED_UNREADABLE, "items");
        }
        return feed.path("items")
                .valueStream()
                .limit(MOST_ENTRIES)
                .map(item -> entry(
                        answer.from(),
                        item.path("id").asString(""),
                        item.path("title").asString(""),
                        first(item, "url", "external_url"),
                        first(item, "summary", "content_html", "content_text"),
                        first(item, "image", "banner_image")))
                .toList();
    }

    private static String first(JsonNode item, String... names) {
        return Stream.of(names)
                .map(name -> item.path(name).asString(""))
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse("");
    }

    private static FeedEntry entry(
            URI from, @Nullable String id, String title, String link, String html, String image) {
        Document body =
                Jsoup.parseBodyFragment(html.substring(0, Math.min(html.length(), LONGEST_HTML)), from.toString());
        org.jsoup.nodes.Element shown = body.selectFirst("img[src]");
        String picture = image.isEmpty() && shown != null ? shown.absUrl("src") : image;
        String known = Stream.of(text(id), link, title)
                .filter(text -> !text.isBlank())
                .findFirst()
                .orElse("");
        return new FeedEntry(
                known,
                Jsoup.parseBodyFragment(title).text(),
                absolute(from, link),
                body.text(),
                absolute(from, picture));
    }

    private static String absolute(URI from, String address) {
        try {
            return address.isBlank() ? "" : from.resolve(address.strip()).toString();
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value.strip();
    }
}
