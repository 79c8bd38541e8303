package org.azuremail.watcher.feed;

import com.rometools.rome.feed.synd.SyndContent;
import com.rometools.rome.feed.synd.SyndEntry;
import com.rometools.rome.feed.synd.SyndFeed;
import com.rometools.rome.io.SyndFeedInput;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Date;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.azuremail.outbound.GuardedHttp;
import org.azuremail.outbound.PublicAddresses;
import org.azuremail.watcher.feed.FeedException.FeedReason;
import org.jdom2.Element;
import org.jdom2.Namespace;
import org.jdom2.input.SAXBuilder;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Entities;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads RSS, Atom and JSON feeds. Document type declarations are refused, which rules out XML bombs. */
final class FeedReader {

    /** The most entries, the latest ones, that are read after the first reading. */
    static final int MAX_ENTRIES = 100;

    private static final int MAX_HTML_LENGTH = 20_000;

    private static final int MAX_TITLE_LENGTH = 2_000;

    private static final int MAX_HEADING_LENGTH = 80;

    private static final int MAX_DEPTH = 100;

    /**
     * The most elements and attributes together, because readers need more than linear time for many of one element.
     */
    private static final int MAX_ELEMENTS = 100_000;

    private static final int MAX_ATTRIBUTES = 100;

    private static final Pattern NOT_IN_ADDRESSES = Pattern.compile("[\\s\"<>\\\\^`{|}\\[\\]]|%(?![0-9A-Fa-f]{2})");

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private static final XMLInputFactory XML = XMLInputFactory.newDefaultFactory();

    static {
        XML.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        XML.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        // No limit of the JDK's, which differs from version to version: checkShape has its own.
        XML.setProperty("http://www.oracle.com/xml/jaxp/properties/maxElementDepth", "0");
    }

    private static final JsonMapper JSON = JsonMapper.shared();

    private FeedReader() {}

    /**
     * Returns the latest entries, each once, oldest first. Only one feed at a time is held as a tree, which is many
     * times as large as its text.
     *
     * @param max the most entries to return
     */
    static synchronized List<FeedEntry> read(FeedFetcher.Response answer, int max) throws FeedException {
        List<FeedEntry> newestFirst;
        try {
            newestFirst = begins(answer.body(), '{') ? json(answer, max) : xml(answer, max);
        } catch (FeedException e) {
            throw e;
        } catch (Exception | StackOverflowError e) {
            throw new FeedException(FeedReason.FEED_UNREADABLE, FeedFetcher.truncate(String.valueOf(e.getMessage())));
        }
        List<FeedEntry> entries = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        newestFirst.stream()
                .filter(entry -> !entry.id().isBlank())
                .filter(entry -> !entry.title().isEmpty() || !entry.link().isEmpty())
                .filter(entry -> ids.add(entry.id()))
                .forEach(entries::add);
        Collections.reverse(entries);
        return entries;
    }

    private static boolean begins(byte[] body, char first) {
        for (byte b : body) {
            // Bytes of a byte order mark are negative.
            boolean skipped = b <= ' ';
            if (!skipped) {
                return b == first;
            }
        }
        return false;
    }

    private static List<FeedEntry> xml(FeedFetcher.Response answer, int max) throws Exception {
        String text;
        try (Reader xml = FeedCharset.reader(answer)) {
            StringWriter whole = new StringWriter();
            xml.transferTo(whole);
            text = whole.toString();
        }
        checkShape(text);
        SAXBuilder builder = new SAXBuilder();
        builder.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        org.jdom2.Document document = builder.build(new StringReader(text));
        resolveLinks(document.getRootElement(), answer.from());
        SyndFeed feed = new SyndFeedInput().build(document);
        boolean atom = feed.getFeedType().startsWith("atom");
        return latest(feed.getEntries(), FeedReader::date, max).stream()
                .map(entry -> entry(answer.from(), entry, atom))
                .toList();
    }

    /**
     * Returns the latest entries. Feeds may begin with the oldest entry, so dates decide if all entries have one,
     * otherwise the order of the feed.
     */
    private static <E> List<E> latest(List<E> entries, Function<E, @Nullable Instant> date, int max) {
        boolean dated = entries.stream().allMatch(entry -> date.apply(entry) != null);
        Comparator<E> newestFirst = Comparator.comparing(date, Comparator.nullsLast(Comparator.reverseOrder()));
        return (dated ? entries.stream().sorted(newestFirst) : entries.stream())
                .limit(max)
                .toList();
    }

    private static @Nullable Instant date(SyndEntry entry) {
        Date date = entry.getPublishedDate() == null ? entry.getUpdatedDate() : entry.getPublishedDate();
        return date == null ? null : date.toInstant();
    }

    /**
     * Makes the links of Atom absolute. They are relative to the nearest {@code xml:base}, which the library ignores.
     */
    private static void resolveLinks(Element element, URI base) {
        URI own = resolve(base, text(element.getAttributeValue("base", Namespace.XML_NAMESPACE)));
        String href = element.getAttributeValue("href");
        if (href != null && element.getName().equals("link")) {
            element.setAttribute("href", GuardedHttp.resolved(own, encoded(href)));
        }
        element.getChildren().forEach(child -> resolveLinks(child, own));
    }

    private static URI resolve(URI base, String address) {
        try {
            return address.isBlank() ? base : base.resolve(address.strip());
        } catch (IllegalArgumentException e) {
            return base;
        }
    }

    /**
     * Checks the size and depth, because building the tree takes time that grows with the square of its depth and of
     * its attributes, and much memory for each element.
     */
    private static void checkShape(String text) throws XMLStreamException, FeedException {
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
                case XMLStreamConstants.DTD -> throw new FeedException(FeedReason.FEED_UNREADABLE, "DOCTYPE");
                default -> {}
            }
            if (depth > MAX_DEPTH || elements > MAX_ELEMENTS || attributes > MAX_ATTRIBUTES) {
                throw new FeedException(FeedReason.FEED_ELEMENTS);
            }
        }
    }

    private static FeedEntry entry(URI from, SyndEntry entry, boolean atom) {
        String html = Stream.concat(Stream.ofNullable(entry.getDescription()), entry.getContents().stream())
                .map(content -> html(content, atom))
                .filter(content -> !content.isEmpty())
                .findFirst()
                .orElse("");
        String image = entry.getEnclosures().stream()
                .filter(enclosure -> text(enclosure.getType()).startsWith("image/"))
                .map(enclosure -> text(enclosure.getUrl()))
                .findFirst()
                .or(() -> media(entry))
                .orElse("");
        return entry(from, entry.getUri(), html(entry.getTitleEx(), atom), text(entry.getLink()), html, image);
    }

    /**
     * Returns the text as HTML. By convention, texts of RSS are HTML; those of Atom are plain unless they say
     * otherwise.
     */
    private static String html(@Nullable SyndContent content, boolean atom) {
        String text = content == null ? "" : text(content.getValue());
        String type = content == null ? "" : text(content.getType());
        return atom && type.matches("|text|text/plain") ? Entities.escape(text) : text;
    }

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

    private static List<FeedEntry> json(FeedFetcher.Response answer, int max) throws FeedException {
        JsonNode feed = JSON.readTree(answer.body());
        if (!feed.path("items").isArray()) {
            throw new FeedException(FeedReason.FEED_UNREADABLE, "items");
        }
        return latest(feed.path("items").valueStream().toList(), FeedReader::date, max).stream()
                .map(item -> entry(
                        answer.from(),
                        item.path("id").asString(""),
                        Entities.escape(item.path("title").asString("")),
                        first(item, "url", "external_url"),
                        html(item),
                        first(item, "image", "banner_image")))
                .toList();
    }

    private static String html(JsonNode item) {
        String summary = Entities.escape(first(item, "summary"));
        String html = summary.isEmpty() ? first(item, "content_html") : summary;
        return html.isEmpty() ? Entities.escape(first(item, "content_text")) : html;
    }

    private static @Nullable Instant date(JsonNode item) {
        try {
            return OffsetDateTime.parse(first(item, "date_published", "date_modified"))
                    .toInstant();
        } catch (DateTimeParseException none) {
            return null;
        }
    }

    private static String first(JsonNode item, String... names) {
        return Stream.of(names)
                .map(name -> item.path(name).asString(""))
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse("");
    }

    /**
     * Creates an entry. Without a title and a link that can be shown, the beginning of its text becomes its title; if
     * it has no id either, its text identifies it.
     */
    private static FeedEntry entry(
            URI from, @Nullable String id, String title, String link, String html, String image) {
        Document body = start(html, MAX_HTML_LENGTH, from);
        org.jsoup.nodes.Element shown = body.selectFirst("img[src]");
        String picture = image.isEmpty() && shown != null ? shown.absUrl("src") : image;
        String name = start(title, MAX_TITLE_LENGTH, from).text();
        String shownLink = absolute(from, link);
        String heading = name.isBlank() && shownLink.isEmpty() ? FeedEntry.cut(body.text(), MAX_HEADING_LENGTH) : name;
        String known = Stream.of(text(id), link, title, body.text())
                .filter(text -> !text.isBlank())
                .findFirst()
                .orElse("");
        return new FeedEntry(known, heading, shownLink, body.text(), absolute(from, picture));
    }

    /** Parses the beginning of the HTML, because the parser needs time that grows with the square of some HTML. */
    private static Document start(String html, int max, URI from) {
        return Jsoup.parseBodyFragment(html.substring(0, Math.min(html.length(), max)), from.toString());
    }

    /** Returns the absolute address; empty if it is not one of http or https. */
    private static String absolute(URI from, String address) {
        return address.isBlank()
                ? ""
                : PublicAddresses.parse(GuardedHttp.resolved(from, encoded(address)))
                        .map(URI::toString)
                        .orElse("");
    }

    /** Encodes characters that an address may not contain, such as blanks, as browsers do. */
    private static String encoded(String address) {
        try {
            return new URI(address.strip()).toString();
        } catch (URISyntaxException e) {
            return NOT_IN_ADDRESSES
                    .matcher(address.strip())
                    .replaceAll(
                            found -> "%" + HEX.toHexDigits((byte) found.group().charAt(0)));
        }
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value.strip();
    }
}
