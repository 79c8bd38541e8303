package org.azuremail.gallery;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParserFactory;
import org.azuremail.content.Escaping;
import org.azuremail.content.Template;
import org.azuremail.gallery.Mjml.MjmlFault;
import org.azuremail.gallery.Mjml.TemplateValues;
import org.azuremail.reason.Reason;
import org.jsoup.nodes.Entities;
import org.jspecify.annotations.Nullable;
import org.xml.sax.Attributes;
import org.xml.sax.InputSource;
import org.xml.sax.Locator;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * Reads a template once from top to bottom, refuses faults with their line, and writes the input of the renderer.
 * Fields of the template are replaced by their values, each escaped for its place; fields of the recipients stay
 * unchanged. A part between <code>{{#if field}}</code> and <code>{{/if}}</code> is written if the field has a value.
 */
final class MjmlReader extends DefaultHandler {

    private static final int MAX_ELEMENTS = 400;
    private static final int DEEPEST = 30;
    private static final int MAX_FONT_FAMILIES = 100;

    private static final Pattern ENTITY = Pattern.compile("&([A-Za-z][A-Za-z0-9]{1,31});");
    private static final Pattern TAG = Pattern.compile("\\{\\{([^{}]*)}}");
    private static final Pattern BLOCK = Pattern.compile("#if\\s+([a-z-]{1,64})");

    private static final Set<String> XML_ENTITIES = Set.of("lt", "gt", "amp", "quot", "apos");

    static final String CONTENT = "content";

    private final SourceLines lines;
    private final MjmlFields fields;
    private final StringBuilder out = new StringBuilder();
    private final StringBuilder text = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();
    private final Deque<Block> blocks = new ArrayDeque<>();
    private @Nullable Locator locator;
    private int elements;
    private int fontFamilies;
    private int textBegin;

    /** @param depth how many elements are open around it */
    private record Block(String written, int line, int depth, boolean shown) {}

    /** A fault of the template; {@link Mjml#fault} catches it. */
    static final class Refusal extends RuntimeException {

        private final transient Reason reason;

        Refusal(MjmlFault code, Object... values) {
            super(code.name(), null, false, false);
            this.reason = Reason.of(code, values);
        }

        Reason reason() {
            return reason;
        }
    }

    private MjmlReader(String source, TemplateValues values) {
        this.lines = new SourceLines(source);
        this.fields = new MjmlFields(values);
    }

    /** @throws Refusal if the template has a fault */
    static String filled(String mjml, TemplateValues values) {
        String source = withoutNames(mjml.replace("\r\n", "\n").replace('\r', '\n'));
        MjmlReader reader = new MjmlReader(source, values);
        try {
            SAXParserFactory factory = SAXParserFactory.newInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.newSAXParser().parse(new InputSource(new StringReader(source)), reader);
        } catch (SAXParseException notXml) {
            throw new Refusal(
                    MjmlFault.MJML_NOT_XML,
                    notXml.getLineNumber(),
                    notXml.getColumnNumber(),
                    String.valueOf(notXml.getMessage()));
        } catch (SAXException notXml) {
            int line = reader.lines.lineOf(reader.position());
            throw new Refusal(MjmlFault.MJML_NOT_XML, line, 1, String.valueOf(notXml.getMessage()));
        } catch (ParserConfigurationException | IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        return reader.out.toString();
    }

    /** Replaces the named characters of HTML by numbers; XML knows only five names. */
    private static String withoutNames(String mjml) {
        return ENTITY.matcher(mjml).replaceAll(name -> {
            String character = XML_ENTITIES.contains(name.group(1)) ? "" : Entities.getByName(name.group(1));
            StringBuilder number = new StringBuilder();
            character.codePoints().forEach(c -> number.append("&#").append(c).append(';'));
            return Matcher.quoteReplacement(number.isEmpty() ? name.group() : number.toString());
        });
    }

    @Override
    public void setDocumentLocator(Locator of) {
        locator = of;
    }

    @Override
    public void startElement(String uri, String local, String name, Attributes attributes) {
        endText();
        int begin = lines.tagBefore(position());
        int line = lines.lineOf(begin);
        MjmlElements.requireAllowed(name, open, line);
        if (++elements > MAX_ELEMENTS) {
            throw new Refusal(MjmlFault.MJML_ELEMENTS, line, MAX_ELEMENTS);
        }
        if (open.size() >= DEEPEST) {
            throw new Refusal(MjmlFault.MJML_DEEP, line);
        }
        write("<" + name);
        for (int i = 0; i < attributes.getLength(); i++) {
            attribute(attributes.getQName(i), attributes.getValue(i), begin);
        }
        write(MjmlElements.isEmpty(name) ? " />" : ">");
        open.push(name);
        textBegin = position();
    }

    private void attribute(String name, String value, int tag) {
        if (name.startsWith("on")) {
            throw new Refusal(MjmlFault.MJML_ATTRIBUTE, lines.lineOf(tag), name);
        }
        int from = lines.find(name, tag);
        StringBuilder filled = new StringBuilder();
        Matcher tags = TAG.matcher(value);
        int end = 0;
        while (tags.find()) {
            filled.append(escaped(value.substring(end, tags.start()), from));
            int line = lines.lineOf(lines.find(tags.group(), from));
            Template.Field field = fields.require(tags.group(), line);
            MjmlFields.requirePlace(name, field.name(), tags.start() == 0, tags.group(), line);
            filled.append(fields.value(field, tags.group()));
            end = tags.end();
        }
        filled.append(escaped(value.substring(end), from));
        write(" " + name + "=\"" + filled + "\"");
    }

    @Override
    public void characters(char[] characters, int start, int length) {
        text.append(characters, start, length);
    }

    @Override
    public void endElement(String uri, String local, String name) {
        endText();
        if (!blocks.isEmpty() && blocks.peek().depth() == open.size()) {
            throw new Refusal(
                    MjmlFault.MJML_BLOCK, blocks.peek().line(), blocks.peek().written());
        }
        open.pop();
        if (!MjmlElements.isEmpty(name)) {
            write("</" + name + ">");
        }
        textBegin = position();
    }

    private void endText() {
        if (text.isEmpty()) {
            return;
        }
        String whole = text.toString();
        text.setLength(0);
        boolean style = "mj-style".equals(open.peek());
        if (style && whole.indexOf('<') >= 0) {
            throw new Refusal(MjmlFault.MJML_STYLE, lines.lineOf(textBegin));
        }
        Matcher tags = TAG.matcher(whole);
        int at = textBegin;
        int end = 0;
        while (tags.find()) {
            write(plain(whole.substring(end, tags.start()), style, at));
            at = lines.find(tags.group(), at);
            tag(tags.group(), tags.group(1).strip(), style, lines.lineOf(at));
            at += tags.group().length();
            end = tags.end();
        }
        write(plain(whole.substring(end), style, at));
    }

    private String plain(String piece, boolean style, int at) {
        return style ? checked(piece, at) : escaped(piece, at);
    }

    private String escaped(String piece, int at) {
        return Escaping.HTML.apply(checked(piece, at));
    }

    private String checked(String piece, int at) {
        if (piece.contains("{{") || piece.contains(Mjml.CONTENT)) {
            throw new Refusal(MjmlFault.MJML_FIELD, lines.lineOf(lines.find("{{", at)), "{{", fields.names());
        }
        for (int i = piece.indexOf("font-family"); i >= 0; i = piece.indexOf("font-family", i + 1)) {
            if (++fontFamilies > MAX_FONT_FAMILIES) {
                throw new Refusal(MjmlFault.MJML_ELEMENTS, lines.lineOf(at), MAX_FONT_FAMILIES);
            }
        }
        return piece;
    }

    private void tag(String written, String inside, boolean style, int line) {
        Matcher block = BLOCK.matcher(inside);
        if (block.matches()) {
            if (!fields.values().values().containsKey(block.group(1))) {
                throw new Refusal(MjmlFault.MJML_FIELD, line, written, fields.names());
            }
            if (blocks.size() >= DEEPEST) {
                throw new Refusal(MjmlFault.MJML_DEEP, line);
            }
            boolean shown = shown() && !fields.values().value(block.group(1)).isBlank();
            blocks.push(new Block(written, line, open.size(), shown));
        } else if (inside.equals("/if")) {
            if (blocks.isEmpty() || blocks.peek().depth() != open.size()) {
                throw new Refusal(MjmlFault.MJML_BLOCK, line, written);
            }
            blocks.pop();
        } else if (inside.equals(CONTENT)) {
            requireContent(written, line);
            write(Mjml.CONTENT);
        } else {
            Template.Field field = fields.require(written, line);
            boolean markup = MjmlElements.holdsNoText(open.element());
            if (field.name().equals("logo") || markup || (style && !MjmlFields.isColor(field.name()))) {
                throw new Refusal(MjmlFault.MJML_FIELD_PLACE, line, written);
            }
            write(fields.value(field, written));
        }
    }

    private void requireContent(String written, int line) {
        boolean ofHtml = open.contains("mj-text") || open.contains("mj-table");
        boolean ofBody = open.contains("mj-raw") && open.contains("mj-body");
        if (!blocks.isEmpty() || !(ofHtml || ofBody)) {
            throw new Refusal(MjmlFault.MJML_FIELD_PLACE, line, written);
        }
    }

    private void write(String piece) {
        if (shown()) {
            out.append(piece);
        }
    }

    private boolean shown() {
        return blocks.stream().allMatch(Block::shown);
    }

    /** Returns the position after the last event of the parser. */
    private int position() {
        int line = locator == null ? 1 : locator.getLineNumber();
        int column = locator == null ? 1 : locator.getColumnNumber();
        return lines.position(line, column);
    }
}
