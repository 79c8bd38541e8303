package org.azuremail.content;

import java.util.List;
import java.util.Map;
import org.azuremail.content.Layout.Frame;
import org.commonmark.node.BlockQuote;
import org.commonmark.node.BulletList;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.node.OrderedList;
import org.commonmark.node.Paragraph;
import org.commonmark.node.StrongEmphasis;
import org.commonmark.node.ThematicBreak;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.DefaultUrlSanitizer;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.html.UrlSanitizer;

/**
 * Converts Markdown (CommonMark 0.31) to the content of an email, which a template surrounds. Styles are written at
 * each element, because some mail programs read no others. HTML in the Markdown is shown as typed, and links to
 * anything but http, https, mailto and tel lose their address. A bold link that is alone in its paragraph becomes a
 * button.
 */
final class MarkdownRenderer {

    /** The longest Markdown, in bytes of UTF-8: Gmail cuts a longer email off. */
    static final int MAX_BYTES = 100 * 1024;

    /** The most {@code <} and {@code [} together: the parser may read from each of them to the end of its paragraph. */
    static final int MAX_MARKS = 500;

    private static final String GAP = "margin:0 0 16px;";
    private static final String LINK = "color:#0062b3;";
    private static final String BUTTON =
            "display:inline-block;padding:12px 24px;border-radius:6px;text-decoration:none;";
    private static final String CODE = "font-family:Consolas,Menlo,monospace;font-size:14px;";
    private static final List<String> HEADINGS =
            List.of("26px;line-height:34px", "20px;line-height:28px", "17px;line-height:26px");

    private static final Map<Class<?>, String> STYLES = Map.of(
            Image.class,
            "display:block;max-width:100%;height:auto;border:0;",
            BlockQuote.class,
            GAP + "padding:0 0 0 16px;border-left:4px solid #c3cad6;",
            Code.class,
            CODE,
            ThematicBreak.class,
            "margin:24px 0;border:0;border-top:1px solid #c3cad6;",
            BulletList.class,
            GAP + "padding:0 0 0 24px;",
            OrderedList.class,
            GAP + "padding:0 0 0 24px;",
            ListItem.class,
            "margin:0 0 4px;",
            Paragraph.class,
            GAP);

    private static final MarkdownContainers CONTAINERS = new MarkdownContainers();

    private static final Parser PARSER = Parser.builder()
            .maxOpenBlockParsers(100)
            .includeSourceSpans(IncludeSourceSpans.BLOCKS_AND_INLINES)
            .extensions(List.of(CONTAINERS))
            .build();

    /**
     * Replaces the second brace of each field during rendering, so that other double braces, which the author escaped,
     * do not become fields; a noncharacter, which no text contains.
     */
    private static final String BRACE_OF_FIELD = "\uFDD0";

    /** Drops addresses of other schemes. Of an address that begins with a field, the field's fallback decides. */
    private static final UrlSanitizer ADDRESSES = new DefaultUrlSanitizer(List.of("http", "https", "mailto", "tel")) {
        @Override
        public String sanitizeLinkUrl(String url) {
            int fallback = url.startsWith("{" + BRACE_OF_FIELD) ? url.indexOf('|') + 1 : 0;
            return super.sanitizeLinkUrl(url.substring(fallback).strip()).isEmpty() ? "" : url;
        }
    };

    private MarkdownRenderer() {}

    /** Returns the HTML. Merge fields stay unchanged; double braces that are escaped in Markdown are no fields. */
    static String render(String markdown, Frame.Buttons buttons) {
        String button = BUTTON + "background-color:" + buttons.color() + ";color:" + buttons.textColor() + ";";
        HtmlRenderer renderer = HtmlRenderer.builder()
                .escapeHtml(true)
                .sanitizeUrls(true)
                .urlSanitizer(ADDRESSES)
                .extensions(List.of(CONTAINERS))
                .attributeProviderFactory(context -> (node, tag, attributes) -> style(node, tag, attributes, button))
                .build();
        Node document = parse(markdown);
        for (Node child = document.getFirstChild(); child != null; ) {
            Node next = child.getNext();
            if (ContentBlocks.isSeparator(child)) {
                child.unlink();
            }
            child = next;
        }
        return unmarked(renderer.render(document).replace("{{", "&#123;{"));
    }

    /** Returns whether a text is small enough to be parsed in a moment. */
    static boolean fits(String markdown) {
        return markdown.length() <= MAX_BYTES && marks(markdown) <= MAX_MARKS;
    }

    static long marks(String markdown) {
        return markdown.chars().filter(c -> c == '<' || c == '[').count();
    }

    /** Returns the document. Each merge field in it has a mark, which {@link #unmarked} removes. */
    static Node parse(String markdown) {
        return PARSER.parse(marked(markdown));
    }

    static String unmarked(String marked) {
        return marked.replace(BRACE_OF_FIELD, "{");
    }

    private static String marked(String markdown) {
        StringBuilder marked = new StringBuilder(markdown);
        Template.fields(markdown)
                .forEach(field -> marked.replace(field.start() + 1, field.start() + 2, BRACE_OF_FIELD));
        return marked.toString();
    }

    private static void style(Node node, String tag, Map<String, String> attributes, String button) {
        String style = style(node, tag, button);
        if (!style.isEmpty()) {
            attributes.put("style", style);
        }
        if (node instanceof Link) {
            attributes.remove("rel");
            attributes.put("class", button(node) ? "button" : "link");
        }
    }

    private static String style(Node node, String tag, String button) {
        if (node instanceof Heading heading) {
            String size = HEADINGS.get(Math.min(heading.getLevel(), HEADINGS.size()) - 1);
            return "margin:0 0 12px;font-weight:bold;font-size:" + size;
        }
        if (node instanceof Link) {
            return button(node) ? button : LINK;
        }
        if (node instanceof FencedCodeBlock || node instanceof IndentedCodeBlock) {
            return "pre".equals(tag) ? GAP + "white-space:pre-wrap;word-wrap:break-word;" : CODE;
        }
        return STYLES.getOrDefault(node.getClass(), "");
    }

    private static boolean button(Node link) {
        Node strong = link.getParent();
        return strong instanceof StrongEmphasis
                && strong.getParent() instanceof Paragraph
                && alone(strong)
                && alone(link);
    }

    private static boolean alone(Node node) {
        return node.getPrevious() == null && node.getNext() == null;
    }
}
