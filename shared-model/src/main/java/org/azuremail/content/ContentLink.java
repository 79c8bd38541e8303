package org.azuremail.content;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.azuremail.reason.Reason;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.LeafNode;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;

/**
 * A link or an image of a document.
 *
 * @param address as it is written, without blanks around it; empty if there is none
 * @param text the beginning of the link's text, or the alternative text of an image; empty if there is none
 */
public record ContentLink(boolean image, String address, String text) {

    private static final int MAX_TEXT = 100;

    /** Returns the links and images of a document, in the order in which they end. */
    public static List<ContentLink> of(String html) {
        Finder finder = new Finder();
        HtmlWalker.through(html, finder);
        return finder.found;
    }

    private static final class Finder implements HtmlWalker.Reader {

        private record Open(Element element, StringBuilder text) {}

        private final List<ContentLink> found = new ArrayList<>();
        private final Deque<Open> links = new ArrayDeque<>();

        @Override
        public void open(Element element) {
            switch (element.normalName()) {
                case "img" -> {
                    add(true, element.attr("src"), element.attr("alt"));
                    append(element.attr("alt"));
                }
                case "area" -> add(false, element.attr("href"), element.attr("alt"));
                case "a" -> links.push(new Open(element, new StringBuilder()));
                default -> {}
            }
        }

        @Override
        public void leaf(LeafNode leaf) {
            if (leaf instanceof TextNode text) {
                append(text.text());
            }
        }

        private void append(String text) {
            if (!links.isEmpty() && links.peek().text().length() < MAX_TEXT) {
                links.peek().text().append(text);
            }
        }

        @Override
        public void close(Element element, Node by, int at) {
            if (!links.isEmpty() && links.peek().element().equals(element)) {
                add(false, element.attr("href"), links.pop().text().toString());
            }
        }

        private void add(boolean image, String address, String text) {
            String start = text.length() > MAX_TEXT ? Reason.truncate(text, MAX_TEXT) + "…" : text;
            found.add(new ContentLink(image, address.strip(), start.strip()));
        }
    }
}
