package org.azuremail.content;

import java.util.Set;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeTraversor;
import org.jsoup.select.NodeVisitor;

/** What an HTML body says to who reads no HTML. Merge fields stay what they are. */
public final class HtmlText {

    private static final Pattern OUTER_ELEMENT = Pattern.compile("(?i)<(html|head|body)[\\s>]");
    private static final Set<String> SILENT = Set.of("script", "style", "head", "title", "template", "noscript");

    private HtmlText() {}

    /**
     * The text: a line a paragraph, blank lines between blocks, links as {@code text (address)}, lists with dashes or
     * numbers, pictures by their alternative text.
     */
    public static String of(String html) {
        Writer writer = new Writer();
        Document document = Jsoup.parse(html);
        NodeTraversor.traverse(writer, document.body());
        return writer.text();
    }

    /** Whether there is at least one element that HTML knows. */
    static boolean holdsElement(String html) {
        return OUTER_ELEMENT.matcher(html).find()
                || Jsoup.parse(html).getAllElements().stream().anyMatch(HtmlText::written);
    }

    private static boolean written(Element element) {
        String name = element.normalName();
        return element.tag().isKnownTag()
                && !Set.of("#root", "html", "head", "body").contains(name);
    }

    private static final class Writer implements NodeVisitor {

        private final StringBuilder text = new StringBuilder();
        private int silent;
        private int pre;

        @Override
        public void head(Node node, int depth) {
            if (node instanceof TextNode textNode) {
                if (silent == 0) {
                    append(textNode);
                }
            } else if (node instanceof Element element) {
                open(element);
            }
        }

        private void append(TextNode node) {
            if (pre > 0) {
                text.append(node.getWholeText());
                return;
            }
            String words = node.getWholeText().replaceAll("[\\s\\u00A0]+", " ");
            if (atLineStart() || text.charAt(text.length() - 1) == ' ') {
                words = words.stripLeading();
            }
            text.append(words);
        }

        private void open(Element element) {
            String name = element.normalName();
            if (SILENT.contains(name)) {
                silent++;
            } else if (silent > 0) {
                return;
            } else if (name.equals("br")) {
                endLine();
                text.append('\n');
            } else if (name.equals("li")) {
                lines(1);
                text.append(bullet(element));
            } else if (name.equals("hr")) {
                lines(2);
                text.append("----------");
                lines(2);
            } else if (name.equals("img")) {
                text.append(element.attr("alt"));
            } else if (name.equals("td") || name.equals("th")) {
                if (!atLineStart()) {
                    text.append(' ');
                }
            } else if (element.isBlock()) {
                pre += name.equals("pre") ? 1 : 0;
                lines(spacing(name));
            }
        }

        @Override
        public void tail(Node node, int depth) {
            if (!(node instanceof Element element)) {
                return;
            }
            String name = element.normalName();
            if (SILENT.contains(name)) {
                silent--;
            } else if (silent > 0) {
                return;
            } else if (name.equals("a")) {
                appendAddress(element);
            } else if (element.isBlock() && !name.equals("td") && !name.equals("th")) {
                pre -= name.equals("pre") ? 1 : 0;
                lines(spacing(name));
            }
        }

        private void appendAddress(Element link) {
            String address = link.attr("href").strip();
            String shown = link.text().strip();
            if (address.isEmpty() || address.startsWith("#") || address.equals(shown)) {
                return;
            }
            if (address.equals("mailto:" + shown)) {
                return;
            }
            text.append(atLineStart() || shown.isEmpty() ? address : " (" + address + ")");
        }

        private static String bullet(Element item) {
            Element list = item.parent();
            if (list != null && list.normalName().equals("ol")) {
                return (list.children().indexOf(item) + 1) + ". ";
            }
            return "- ";
        }

        private static int spacing(String name) {
            return switch (name) {
                case "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "blockquote", "pre" -> 2;
                default -> 1;
            };
        }

        private boolean atLineStart() {
            return text.isEmpty() || text.charAt(text.length() - 1) == '\n';
        }

        private void endLine() {
            while (!text.isEmpty() && text.charAt(text.length() - 1) == ' ') {
                text.setLength(text.length() - 1);
            }
        }

        /** Ends the line and leaves so many line breaks in all before what comes next. */
        private void lines(int wanted) {
            endLine();
            int breaks = 0;
            while (breaks < text.length() && text.charAt(text.length() - 1 - breaks) == '\n') {
                breaks++;
            }
            if (text.length() > breaks) {
                text.append("\n".repeat(Math.max(0, wanted - breaks)));
            }
        }

        String text() {
            String written = text.toString().strip();
            return written.isEmpty() ? "" : written + "\n";
        }
    }
}
