package org.azuremail.content;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jsoup.nodes.CDataNode;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.LeafNode;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.parser.Tag;
import org.jspecify.annotations.Nullable;

/** Converts an HTML body to text for people who do not read HTML. Merge fields stay unchanged. */
public final class HtmlText {

    /** An opening brace written as a character reference, with which authors show double braces that are no field. */
    private static final Pattern BRACE_REFERENCE =
            Pattern.compile("&(?:#0*+123(?![0-9]);?|#[xX]0*+7[bB](?![0-9a-fA-F]);?|lcub;|lbrace;)");

    /** Replaces such a reference while the HTML is read; a noncharacter, which no text contains. */
    private static final char BRACE = '\uFDD0';

    private static final Pattern BRACE_BEFORE_BRACE = Pattern.compile("[{\\uFDD0](?=\\uFDD0)|\\uFDD0(?=\\{)");

    private HtmlText() {}

    /**
     * Returns the text: one line for each paragraph, blank lines between blocks, links as {@code text (address)},
     * indented lists with dashes or numbers, quotes with {@code >}, and images as their alternative text. Parts that
     * mail programs hide are left out. Double braces that are no field in the HTML get a space between them, because
     * text has no other way to write them.
     */
    public static String of(String html) {
        return of(html, false);
    }

    static String of(String html, boolean withHidden) {
        Writer writer = new Writer(withHidden);
        HtmlWalker.through(BRACE_REFERENCE.matcher(html).replaceAll(String.valueOf(BRACE)), writer);
        return BRACE_BEFORE_BRACE
                .matcher(writer.lines.toString())
                .replaceAll("{ ")
                .replace(BRACE, '{');
    }

    /** Returns whether the text contains at least one element of HTML. */
    static boolean holdsElement(String html) {
        boolean[] found = new boolean[1];
        HtmlWalker.through(html, element -> found[0] |= Tag.isKnownTag(element.normalName()));
        return found[0];
    }

    private static final class Writer implements HtmlWalker.Reader {

        private static final Set<String> SILENT =
                Set.of("script style title template noscript select textarea iframe object svg datalist".split(" "));
        private static final Set<String> APART =
                Set.of("p h1 h2 h3 h4 h5 h6 ul ol menu dir dl table blockquote pre hr".split(" "));
        private static final Set<String> OWN_LINE =
                Set.of("html head body tr thead tbody tfoot caption legend option".split(" "));
        private static final Set<String> LISTS = Set.of("ul", "ol", "menu", "dir");

        /** Characters that are always invisible. The zero byte results from a character reference. */
        private static final String FILLERS = "\0\u200B\uFEFF\u2060\u00AD\u034F\u180E";

        /** Characters that join or separate letters; beside a blank, they have no effect. */
        private static final String JOINERS = "\u200C\u200D";

        private static final char IDEOGRAPHIC_SPACE = '\u3000';

        /**
         * Prefixes of addresses. A link whose text is its own address, with or without such a prefix, is written only
         * once.
         */
        private static final List<String> LINK_PREFIXES = List.of("", "mailto:", "tel:");

        /**
         * An open element.
         *
         * @param inset whether its lines are indented
         */
        private record Open(
                HiddenStyle style, int from, @Nullable ListNumbers numbers, boolean inset) {}

        private final boolean withHidden;
        private final TextLines lines = new TextLines();
        private final Deque<Open> open = new ArrayDeque<>();
        private int silent;
        private int pre;
        private boolean preBegins;
        private String joiners = "";

        Writer(boolean withHidden) {
            this.withHidden = withHidden;
        }

        @Override
        public void open(Element element) {
            String name = element.normalName();
            HiddenStyle around = style();
            HiddenStyle style = withHidden ? around : around.of(element);
            silent += SILENT.contains(name) ? 1 : 0;
            if (silent > 0 || style.nothing()) {
                open.push(new Open(style, 0, null, false));
                return;
            }
            boolean inner = LISTS.contains(name) && open.stream().anyMatch(one -> one.numbers() != null);
            breaks(name, inner);
            boolean inset = inset(element, inner);
            ListNumbers numbers = LISTS.contains(name) ? new ListNumbers(element) : null;
            open.push(new Open(style, lines.length(), numbers, inset));
            begin(element);
        }

        private HiddenStyle style() {
            Open innermost = open.peek();
            return innermost == null ? HiddenStyle.SHOWN : innermost.style();
        }

        private void breaks(String name, boolean inner) {
            if (APART.contains(name)) {
                lines.breaks(inner ? 1 : 2);
            } else if (OWN_LINE.contains(name) || HtmlWalker.isBlock(name)) {
                lines.breaks(1);
            }
        }

        private boolean inset(Element element, boolean inner) {
            switch (element.normalName()) {
                case "li" -> {
                    String mark = open.stream()
                            .map(Open::numbers)
                            .filter(Objects::nonNull)
                            .findFirst()
                            .map(list -> list.mark(element))
                            .orElse("- ");
                    lines.indent(mark, " ".repeat(mark.length()));
                }
                case "blockquote" -> lines.indent("> ", "> ");
                case "dd" -> lines.indent("  ", "  ");
                default -> {
                    if (!inner || open.stream().anyMatch(Open::inset)) {
                        return false;
                    }
                    lines.indent("  ", "  ");
                }
            }
            return true;
        }

        private void begin(Element element) {
            switch (element.normalName()) {
                case "br" -> lines.lineBreak();
                case "hr" -> lines.write("----------");
                case "td", "th" -> lines.blank();
                case "img" -> {
                    if (!style().invisible()) {
                        words(element.attr("alt"));
                    }
                }
                case "pre" -> {
                    pre++;
                    preBegins = true;
                }
                default -> {}
            }
        }

        @Override
        public void leaf(LeafNode leaf) {
            if (leaf instanceof TextNode text && !(leaf instanceof CDataNode) && silent == 0) {
                if (!style().hides()) {
                    if (pre > 0) {
                        verbatim(text.getWholeText());
                    } else {
                        words(text.getWholeText());
                    }
                }
                preBegins = false;
            }
        }

        /** Writes preformatted text. A line break directly after the start tag is ignored. */
        private void verbatim(String text) {
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c == '\n') {
                    if (!preBegins) {
                        lines.newLine();
                    }
                    preBegins = false;
                } else if (c != '\r') {
                    lines.write(c);
                    preBegins = false;
                }
            }
        }

        private void words(String text) {
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (FILLERS.indexOf(c) >= 0) {
                    continue;
                }
                if (JOINERS.indexOf(c) >= 0) {
                    joiners = String.valueOf(c);
                } else if (Character.isWhitespace(c) || (Character.isSpaceChar(c) && c != IDEOGRAPHIC_SPACE)) {
                    joiners = "";
                    lines.blank();
                } else {
                    lines.joined(joiners);
                    joiners = "";
                    lines.write(c);
                }
            }
        }

        @Override
        public void close(Element element, Node by, int at) {
            String name = element.normalName();
            Open closed = open.pop();
            boolean seen = silent == 0 && !closed.style().nothing();
            silent -= SILENT.contains(name) ? 1 : 0;
            if (closed.inset()) {
                lines.outdent();
            }
            if (seen) {
                pre -= name.equals("pre") ? 1 : 0;
                if (name.equals("a")) {
                    appendAddress(element, lines.since(closed.from()));
                }
                breaks(name, LISTS.contains(name) && open.stream().anyMatch(one -> one.numbers() != null));
            }
        }

        private void appendAddress(Element link, String shown) {
            String address = link.attr("href").replaceAll("\\p{Cntrl}+", "").strip();
            if (address.isEmpty()
                    || address.startsWith("#")
                    || address.regionMatches(true, 0, "javascript:", 0, "javascript:".length())
                    || LINK_PREFIXES.stream().anyMatch(said -> bare(address).equals(said + bare(shown)))) {
                return;
            }
            if (shown.isEmpty()) {
                lines.write(address);
            } else {
                boolean lineEnded = lines.resume();
                lines.blank();
                lines.write("(" + address + ")");
                lines.breaks(lineEnded ? 1 : 0);
            }
        }

        private static String bare(String address) {
            return address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
        }
    }
}
