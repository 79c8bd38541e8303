package org.azuremail.content;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;
import org.azuremail.reason.Reason;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.LeafNode;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;

/** Faults of HTML that do not prevent sending it. The parameter of each names the faulty element. */
public enum ContentWarning implements Reason.Code {
    /** The parameter is the address of the image. */
    IMAGE_WITHOUT_ALT,
    /** The parameter is the address of the image, or its alternative text if the address is empty. */
    IMAGE_ODD,
    /** The parameter is the address of the link, or its text if the address is empty. */
    LINK_ODD;

    /** The most warnings of a kind that are reported at a time. */
    private static final int MAX_OF_A_KIND = 5;

    private static final int MAX_LENGTH = 100;

    private static final Pattern LOADS =
            Pattern.compile("(?:https?://[^\\s/?#]|\\{\\{).*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private static final Pattern OPENS = Pattern.compile(
            "(?:https?://[^\\s/?#]|(?:mailto|tel):[^\\s]|\\{\\{|#).*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /**
     * Returns the warnings about a document.
     *
     * @param markdown whether it is rendered from Markdown, which writes an image without alternative text as a
     *     decorative one
     */
    public static List<Reason> of(String html, boolean markdown) {
        Finder finder = new Finder(markdown);
        HtmlWalker.through(html, finder);
        return finder.found;
    }

    private static final class Finder implements HtmlWalker.Reader {

        private record Link(Element element, StringBuilder text) {}

        private final boolean markdown;
        private final List<Reason> found = new ArrayList<>();
        private final Deque<Link> oddLinks = new ArrayDeque<>();

        Finder(boolean markdown) {
            this.markdown = markdown;
        }

        @Override
        public void open(Element element) {
            switch (element.normalName()) {
                case "img" -> {
                    if (!element.hasAttr("alt")
                            || (markdown && element.attr("alt").isBlank())) {
                        add(IMAGE_WITHOUT_ALT, element.attr("src"));
                    }
                    String address = element.attr("src").strip();
                    if (!LOADS.matcher(address).matches()) {
                        add(IMAGE_ODD, address.isEmpty() ? element.attr("alt") : address);
                    }
                }
                case "a" -> {
                    if (element.hasAttr("href")
                            && !OPENS.matcher(element.attr("href").strip()).matches()) {
                        oddLinks.push(new Link(element, new StringBuilder()));
                    }
                }
                default -> {}
            }
        }

        @Override
        public void leaf(LeafNode leaf) {
            if (leaf instanceof TextNode text
                    && !oddLinks.isEmpty()
                    && oddLinks.peek().text().length() < MAX_LENGTH) {
                oddLinks.peek().text().append(text.text());
            }
        }

        @Override
        public void close(Element element, Node by, int at) {
            if (!oddLinks.isEmpty() && oddLinks.peek().element().equals(element)) {
                Link link = oddLinks.pop();
                String address = element.attr("href").strip();
                add(LINK_ODD, address.isEmpty() ? link.text().toString().strip() : address);
            }
        }

        private void add(ContentWarning warning, String what) {
            String shown = what.length() > MAX_LENGTH ? Reason.truncate(what, MAX_LENGTH) + "…" : what;
            if (found.stream().filter(one -> one.is(warning)).count() < MAX_OF_A_KIND) {
                found.add(Reason.of(warning, shown));
            }
        }
    }
}
