package org.azuremail.template;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.azuremail.template.TemplateCompiler.Refusal;
import org.azuremail.template.TemplateCompiler.Token;
import org.azuremail.template.TemplateCompiler.TokenKind;
import org.azuremail.template.TemplateFault.Code;
import org.jsoup.nodes.Attribute;
import org.jsoup.nodes.DataNode;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.LeafNode;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.parser.Parser;
import org.jsoup.select.NodeTraversor;

/**
 * Finds the places of the fields of an HTML template as a browser would see them. It replaces each field by a mark that
 * has no meaning in HTML, and finds the marks in the parsed tree. It allows only elements and attributes that run no
 * code and load nothing from other servers.
 */
final class HtmlContexts {

    private static final char BEGIN = '\uE000';
    private static final char END = '\uE001';
    private static final Pattern MARK = Pattern.compile(BEGIN + "([0-9]{1,5})" + END);
    private static final Pattern NAME_WITH_BLOCKS =
            Pattern.compile("((?:" + MARK + ")*)([^" + BEGIN + END + "]*)((?:" + MARK + ")*)");

    private static final Set<String> ELEMENTS = Set.of(
            ("header main footer nav section article aside div p h1 h2 h3 h4 h5 h6 address blockquote pre figure figcaption"
                            + " ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr th td"
                            + " a strong em b i u s small sub sup span br hr wbr code kbd q cite abbr time mark img center"
                            + " font details summary")
                    .split(" "));
    private static final Set<String> OF_FORMS =
            Set.of("form input button label select option optgroup textarea fieldset legend".split(" "));
    private static final Set<String> OF_DOCUMENTS = Set.of("html head body title meta link style".split(" "));
    private static final Set<String> ATTRIBUTES = Set.of(
            ("class id title lang dir hidden role alt width height href src target rel name content charset media type sizes"
                            + " method action value checked selected disabled readonly required maxlength minlength min max"
                            + " step pattern placeholder autocomplete inputmode spellcheck autofocus for multiple rows cols"
                            + " size label datetime open start colspan rowspan scope headers border cellpadding cellspacing"
                            + " align valign bgcolor color face tabindex")
                    .split(" "));
    private static final Set<String> ADDRESSES = Set.of("href", "src", "action");
    private static final String NO_ICON = "data:,";
    private static final Set<String> SCHEMES = Set.of("http", "https", "mailto", "tel");

    private final TemplateName name;
    private final List<Token> tokens;
    private final String marked;
    private final Map<Integer, Object> found = new HashMap<>();
    private final List<String> styles = new ArrayList<>();

    /** The place where a block begins or ends: between the tags of an element, or between its attributes. */
    private record BlockPosition(Node element, boolean tag) {}

    HtmlContexts(TemplateName name, List<Token> tokens) {
        this.name = name;
        this.tokens = tokens;
        this.marked = marked(tokens);
        Document document = Parser.htmlParser().setTrackPosition(true).parseInput(marked, "");
        NodeTraversor.traverse((node, depth) -> visit(node), document);
        for (int i = 0; i < tokens.size(); i++) {
            if (!tokens.get(i).text() && !found.containsKey(i)) {
                throw new Refusal(
                        tokens.get(i).line(),
                        Code.TEMPLATE_BAD_PLACE,
                        tokens.get(i).word());
            }
        }
    }

    static boolean isMark(int c) {
        return c == BEGIN || c == END;
    }

    /** Returns the text with marks. A field after {@code <} is refused, because its value could become a tag. */
    private static String marked(List<Token> tokens) {
        StringBuilder html = new StringBuilder();
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.text()) {
                html.append(token.word());
                continue;
            }
            if (html.length() > 0 && html.charAt(html.length() - 1) == '<') {
                throw new Refusal(token.line(), Code.TEMPLATE_BAD_PLACE, token.word());
            }
            html.append(BEGIN).append(i).append(END);
        }
        return html.toString();
    }

    /** Returns the content of style elements, which may have no fields. */
    List<String> styles() {
        return styles;
    }

    EscapingContext place(int token) {
        return found.get(token) instanceof EscapingContext context ? context : EscapingContext.TEXT;
    }

    /** Requires that a block begins and ends in the same element, between its tags or between its attributes. */
    void requireSame(int begin, int end) {
        if (!found.getOrDefault(begin, begin).equals(found.get(end))) {
            Token token = tokens.get(begin);
            throw new Refusal(token.line(), Code.TEMPLATE_BLOCK_ACROSS, "#" + token.kind() + " " + token.word());
        }
    }

    private void visit(Node node) {
        if (node instanceof Element element) {
            element(element);
        } else if (node instanceof TextNode text && text.parent() != null) {
            BlockPosition in = new BlockPosition(text.parent(), false);
            marks(text.getWholeText())
                    .forEach(mark -> found.put(mark, tokens.get(mark).field() ? EscapingContext.TEXT : in));
        } else if (node instanceof DataNode style) {
            styles.add(style.getWholeData());
            refuseMarks(style.getWholeData());
        } else if (node instanceof LeafNode other) {
            refuseMarks(other.outerHtml());
        }
    }

    private void element(Element element) {
        String tag = element.normalName();
        boolean allowed = ELEMENTS.contains(tag)
                || (name.form() && OF_FORMS.contains(tag))
                || (OF_DOCUMENTS.contains(tag)
                        && (name.document() || element.sourceRange().isImplicit()));
        if (!allowed && !(element instanceof Document)) {
            throw new Refusal(line(element), Code.TEMPLATE_ELEMENT, shown(tag));
        }
        for (Attribute attribute : element.attributes()) {
            attribute(element, attribute);
        }
    }

    private void attribute(Element element, Attribute attribute) {
        String key = attribute.getKey();
        Matcher parts = NAME_WITH_BLOCKS.matcher(key);
        String bare = MARK.matcher(key).replaceAll("");
        boolean style = bare.equals("style") && name.email();
        boolean allowed = style || bare.isEmpty() || bare.startsWith("aria-") || ATTRIBUTES.contains(bare);
        if (!parts.matches() || !allowed || (bare.equals("content") && element.hasAttr("http-equiv"))) {
            throw new Refusal(line(element), Code.TEMPLATE_ATTRIBUTE, shown(key));
        }
        for (int mark : marks(key)) {
            requireBlock(mark);
            found.put(mark, new BlockPosition(element, true));
        }
        String value = attribute.getValue();
        if (ADDRESSES.contains(bare)) {
            address(element, bare, value);
        }
        List<Integer> inside = marks(value);
        if (!inside.isEmpty()) {
            requireQuotes(element, attribute);
        }
        for (int mark : inside) {
            requireField(mark);
            boolean first = value.startsWith(BEGIN + String.valueOf(mark) + END);
            EscapingContext address = first ? EscapingContext.URL : EscapingContext.URL_PART;
            found.put(
                    mark,
                    style ? EscapingContext.STYLE : ADDRESSES.contains(bare) ? address : EscapingContext.ATTRIBUTE);
        }
    }

    /** Refuses code, and addresses of other servers except for links and for images in emails. */
    private void address(Element element, String attribute, String value) {
        if (value.equals(NO_ICON)) {
            return;
        }
        String bare = MARK.matcher(value).replaceAll("").replaceAll("[\\s\\p{Cntrl}]", "");
        String before = bare.split("[/?#]", 2)[0];
        int colon = before.indexOf(':');
        boolean scheme = colon >= 0;
        boolean elsewhere = scheme || bare.startsWith("//");
        boolean mayBeElsewhere = attribute.equals("src")
                ? name.email()
                : attribute.equals("href") && element.normalName().equals("a");
        boolean runs = scheme && !SCHEMES.contains(before.substring(0, colon).toLowerCase(Locale.ROOT));
        if (runs || value.indexOf('\\') >= 0 || (elsewhere && !mayBeElsewhere)) {
            throw new Refusal(line(element), Code.TEMPLATE_ADDRESS, shown(value));
        }
    }

    private void requireQuotes(Element element, Attribute attribute) {
        int start = attribute.sourceRange().valueRange().startPos();
        char before = start > 0 ? marked.charAt(start - 1) : ' ';
        if (before != '"' && before != '\'') {
            throw new Refusal(line(element), Code.TEMPLATE_NO_QUOTES, shown(attribute.getKey()));
        }
    }

    private void requireField(int mark) {
        if (!tokens.get(mark).field()) {
            refuse(tokens.get(mark));
        }
    }

    private void requireBlock(int mark) {
        if (tokens.get(mark).field() || tokens.get(mark).kind() == TokenKind.PAGE) {
            refuse(tokens.get(mark));
        }
    }

    private void refuseMarks(String text) {
        marks(text).forEach(mark -> refuse(tokens.get(mark)));
    }

    private static void refuse(Token token) {
        throw new Refusal(token.line(), Code.TEMPLATE_BAD_PLACE, token.kind() + " " + token.word());
    }

    private static List<Integer> marks(String text) {
        return MARK.matcher(text)
                .results()
                .map(mark -> Integer.valueOf(mark.group(1)))
                .toList();
    }

    private static int line(Element element) {
        return element.sourceRange().start().lineNumber();
    }

    private static String shown(String text) {
        return MARK.matcher(text).replaceAll("{{…}}");
    }
}
