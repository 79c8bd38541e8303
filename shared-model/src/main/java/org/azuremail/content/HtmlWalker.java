package org.azuremail.content;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.LeafNode;
import org.jsoup.nodes.Node;
import org.jsoup.parser.ParseSettings;
import org.jsoup.parser.Parser;
import org.jsoup.parser.Tag;
import org.jsoup.parser.TagSet;
import org.jsoup.select.NodeTraversor;
import org.jsoup.select.NodeVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Reads HTML tag by tag, in time that grows only with its length. It does not build a browser's tree, whose rules for
 * tables and misplaced formatting repeatedly move earlier nodes, so that 600 KB of {@code <table><b>} take a minute.
 * Elements deeper than {@link #MAX_DEPTH} become siblings, and end tags that authors may omit ({@code </p>},
 * {@code </li>}, {@code </td>}) are supplied.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/syntax.html#optional-tags">HTML, 13.1.2.4</a>
 */
final class HtmlWalker implements NodeVisitor {

    static final int MAX_DEPTH = 256;

    private static final List<String> VOID = List.of(
            "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
            "wbr");
    private static final List<String> RAW_TEXT = List.of("script", "style", "iframe", "noembed", "noframes", "xmp");
    private static final List<String> RAW_TEXT_WITH_ENTITIES = List.of("title", "textarea");

    private static final Set<String> ROWS = Set.of("tr", "td", "th");
    private static final Set<String> TABLE = Set.of("table", "template");
    private static final Set<String> LISTS = Set.of("ul", "ol", "menu", "dir", "dl", "table", "td", "th", "template");
    private static final Set<String> PARAGRAPHS =
            Set.of("table", "td", "th", "caption", "button", "object", "template");

    /** The open elements that a start tag ends, and the elements beyond which it does not end any. */
    private record ImpliedEnd(Set<String> names, Set<String> within) {}

    private static final ImpliedEnd A_PARAGRAPH = new ImpliedEnd(Set.of("p"), PARAGRAPHS);

    private static final Map<String, ImpliedEnd> ENDS = Map.ofEntries(
            Map.entry("li", new ImpliedEnd(Set.of("li"), LISTS)),
            Map.entry("dt", new ImpliedEnd(Set.of("dt", "dd"), LISTS)),
            Map.entry("dd", new ImpliedEnd(Set.of("dt", "dd"), LISTS)),
            Map.entry("td", new ImpliedEnd(Set.of("td", "th"), TABLE)),
            Map.entry("th", new ImpliedEnd(Set.of("td", "th"), TABLE)),
            Map.entry("tr", new ImpliedEnd(ROWS, TABLE)),
            Map.entry("tbody", new ImpliedEnd(Set.of("tbody", "thead", "tfoot", "tr", "td", "th", "caption"), TABLE)),
            Map.entry("thead", new ImpliedEnd(Set.of("tbody", "thead", "tfoot", "tr", "td", "th", "caption"), TABLE)),
            Map.entry("tfoot", new ImpliedEnd(Set.of("tbody", "thead", "tfoot", "tr", "td", "th", "caption"), TABLE)),
            Map.entry("a", new ImpliedEnd(Set.of("a"), PARAGRAPHS)),
            Map.entry("option", new ImpliedEnd(Set.of("option"), Set.of("select"))));

    private static final Set<String> BLOCKS =
            Set.of(("address article aside blockquote center details dialog dir div dl dt dd fieldset figcaption"
                            + " figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section"
                            + " summary table ul")
                    .split(" "));

    /** Receives the content of the source, in its order. */
    @FunctionalInterface
    interface Reader {

        void open(Element element);

        /** Receives text, a comment, or the content of a script. */
        default void leaf(LeafNode leaf) {}

        /**
         * @param by the node whose tag ended the element: its own tag, that of an element around it or after it, or the
         *     document at the end of the source
         * @param at the position of that tag in the source
         */
        default void close(Element element, Node by, int at) {}
    }

    private final Reader reader;
    private final Deque<Element> open = new ArrayDeque<>();

    private HtmlWalker(Reader reader) {
        this.reader = reader;
    }

    static void through(String html, Reader reader) {
        NodeTraversor.traverse(new HtmlWalker(reader), parse(html));
    }

    private static Document parse(String html) {
        return Parser.xmlParser()
                .settings(ParseSettings.htmlDefault)
                .tagSet(tags())
                .setMaxDepth(MAX_DEPTH)
                .setTrackPosition(true)
                .parseInput(html, "");
    }

    /** Returns tags for a single parse, because a parser adds the tags that it finds. */
    private static TagSet tags() {
        TagSet tags = new TagSet();
        for (String namespace : List.of(Parser.NamespaceXml, Parser.NamespaceHtml)) {
            VOID.forEach(name -> tags.add(new Tag(name, namespace).set(Tag.Void)));
            RAW_TEXT.forEach(name -> tags.add(new Tag(name, namespace).set(Tag.Data)));
            RAW_TEXT_WITH_ENTITIES.forEach(name -> tags.add(new Tag(name, namespace).set(Tag.RcData)));
        }
        return tags;
    }

    /** Returns whether an element begins a new block of text. */
    static boolean isBlock(String name) {
        return BLOCKS.contains(name);
    }

    @Override
    public void head(Node node, int depth) {
        if (node instanceof LeafNode leaf) {
            reader.leaf(leaf);
        } else if (node instanceof Element element && !(node instanceof Document)) {
            if (isBlock(element.normalName())) {
                end(A_PARAGRAPH, element);
            }
            end(ENDS.get(element.normalName()), element);
            open.push(element);
            reader.open(element);
        }
    }

    /** Ends the outermost of these elements up to the nearest boundary, with everything inside it. */
    private void end(@Nullable ImpliedEnd ends, Element next) {
        if (ends == null) {
            return;
        }
        Element last = null;
        for (Element one : open) {
            if (ends.within().contains(one.normalName())) {
                break;
            }
            last = ends.names().contains(one.normalName()) ? one : last;
        }
        if (last != null) {
            closeThrough(last, next, next.sourceRange().startPos());
        }
    }

    @Override
    public void tail(Node node, int depth) {
        if (node instanceof Document) {
            return;
        }
        if (node instanceof Element element && open.contains(element)) {
            Node by = endedBy(element);
            closeThrough(
                    element,
                    by,
                    by instanceof Element tag ? tag.endSourceRange().startPos() : Integer.MAX_VALUE);
        }
    }

    /** Returns the element itself if it has an end tag, or else the nearest element around it that has one. */
    private static Node endedBy(Element element) {
        Element one = element;
        while (one.endSourceRange().isImplicit() && one.parent() != null) {
            one = one.parent();
        }
        return one;
    }

    private void closeThrough(Element last, Node by, int at) {
        Element one;
        do {
            one = open.pop();
            reader.close(one, by, at);
        } while (!one.equals(last));
    }
}
