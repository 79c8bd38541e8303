package org.azuremail.content;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
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
        List<ContentLink> found = new ArrayList<>();
        read(html, true, (element, text) -> {
            boolean image = element.normalName().equals("img");
            String address = element.attr(image ? "src" : "href");
            found.add(new ContentLink(image, address.strip(), shortened(text).strip()));
        });
        return found;
    }

    /**
     * Finds the links and images of a document, in the order in which they end.
     *
     * @param withAlt whether the alternative text of an image is part of the text of the link around it
     * @param found receives each link with the beginning of its text, and each image or area with its alternative text
     */
    static void read(String html, boolean withAlt, BiConsumer<Element, String> found) {
        Deque<Open> links = new ArrayDeque<>();
        HtmlWalker.through(html, new HtmlWalker.Reader() {
            @Override
            public void open(Element element) {
                switch (element.normalName()) {
                    case "img" -> {
                        found.accept(element, element.attr("alt"));
                        append(withAlt ? element.attr("alt") : "");
                    }
                    case "area" -> found.accept(element, element.attr("alt"));
                    case "a" -> {
                        if (element.hasAttr("href")) {
                            links.push(new Open(element, new StringBuilder()));
                        }
                    }
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
                    found.accept(element, links.pop().text().toString());
                }
            }
        });
    }

    static String shortened(String text) {
        return text.length() > MAX_TEXT ? Reason.truncate(text, MAX_TEXT) + "…" : text;
    }

    private record Open(Element element, StringBuilder text) {}
}
