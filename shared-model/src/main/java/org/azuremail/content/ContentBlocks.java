package org.azuremail.content;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.content.ContentBlock.Kind;
import org.commonmark.node.BlockQuote;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SourceSpan;
import org.commonmark.node.StrongEmphasis;
import org.commonmark.node.ThematicBreak;

/**
 * Splits Markdown into the blocks of the block editor, and joins them again. Both ways to write are views of the same
 * text, so an author may change between them at any time: the joined blocks are rendered exactly as the Markdown was.
 * Anything that is no block of its own, such as a list or a piece of code, is part of a text.
 */
public final class ContentBlocks {

    /** The most blocks. The rest of a longer text is the last one. */
    public static final int MAX = 100;

    /** Stands between two texts, which would be one otherwise. It is not rendered. */
    static final String SEPARATOR = "<!-- -->";

    private static final Pattern LINE_BREAK = Pattern.compile("\\r\\n?|\\n");
    private static final Pattern LINE_BREAKS = Pattern.compile("\\s*[\\r\\n]\\s*");
    private static final Pattern BLANK_LINES = Pattern.compile("\\A(?:[ \\t]*\\n)+");
    private static final Pattern COLONS = Pattern.compile("(?m)^( {0,3})(?=:::)");
    private static final Pattern CLOSING_HASHES = Pattern.compile("(?<=^|[ \\t])(?=#+$)");
    private static final Pattern ENTITY = Pattern.compile("&(?=#?\\w+;)");
    private static final Pattern PLAIN_ADDRESS = Pattern.compile("[^\\s\\p{Cntrl}<>()\\\\]+");
    private static final Pattern SPECIAL = Pattern.compile("[\\\\\\[\\]*_`<!&]");

    private ContentBlocks() {}

    /** Returns the blocks of a text; none for a blank one, and one for a text that is too large for an email. */
    public static List<ContentBlock> of(String markdown) {
        String text = LINE_BREAK.matcher(markdown).replaceAll("\n");
        if (!MarkdownRenderer.fits(text)) {
            return List.of(ContentBlock.of(Kind.TEXT, text));
        }
        List<ContentBlock> blocks = split(text);
        List<ContentBlock> whole =
                text.isBlank() ? List.of() : List.of(ContentBlock.of(Kind.TEXT, text.stripTrailing()));
        return sameMail(joined(blocks), joined(whole)) ? blocks : whole;
    }

    /**
     * Returns the Markdown of blocks. A block that nobody has filled in yet is left out. Blocks that are too large for
     * an email are joined as they are, because {@link MessageBodies} refuses them anyway.
     */
    public static String markdown(List<ContentBlock> blocks) {
        String all = blocks.stream()
                .flatMap(block -> Stream.concat(block.parts().stream(), Stream.of(block.address())))
                .collect(Collectors.joining("\n\n"));
        return MarkdownRenderer.fits(all) ? joined(blocks) : all;
    }

    private static String joined(List<ContentBlock> blocks) {
        StringBuilder markdown = new StringBuilder();
        Kind previous = Kind.DIVIDER;
        for (ContentBlock block : blocks) {
            if (!block.isBlank()) {
                boolean texts = previous == Kind.TEXT && block.kind() == Kind.TEXT;
                markdown.append(texts ? SEPARATOR + "\n\n" : "")
                        .append(written(block))
                        .append("\n\n");
                previous = block.kind();
            }
        }
        return markdown.isEmpty() ? "" : markdown.substring(0, markdown.length() - 1);
    }

    private static List<ContentBlock> split(String text) {
        List<String> lines = text.lines().toList();
        List<Node> nodes = children(MarkdownRenderer.parse(text));
        List<ContentBlock> blocks = new ArrayList<>();
        int textFrom = -1;
        for (int i = 0; i < nodes.size(); i++) {
            int from = firstLine(nodes.get(i));
            int to = i + 1 < nodes.size() ? firstLine(nodes.get(i + 1)) : lines.size();
            String source = String.join("\n", lines.subList(from, to)).stripTrailing();
            boolean room = blocks.size() < MAX - 1;
            Optional<ContentBlock> own = room
                    ? block(nodes.get(i), source, text).filter(block -> sameMail(written(block), source))
                    : Optional.empty();
            boolean separator = room && isSeparator(nodes.get(i));
            if (textFrom < 0 && own.isEmpty() && !separator) {
                textFrom = from;
            }
            boolean last = own.isPresent() || separator;
            if (textFrom >= 0 && (last || to == lines.size())) {
                blocks.add(text(lines.subList(textFrom, last ? from : to)));
                textFrom = -1;
            }
            own.ifPresent(blocks::add);
        }
        return blocks;
    }

    private static ContentBlock text(List<String> lines) {
        return ContentBlock.of(Kind.TEXT, String.join("\n", lines).stripTrailing());
    }

    static boolean isSeparator(Node node) {
        return node instanceof HtmlBlock html
                && SEPARATOR.equals(html.getLiteral().strip());
    }

    private static List<Node> children(Node parent) {
        List<Node> children = new ArrayList<>();
        for (Node child = parent.getFirstChild(); child != null; child = child.getNext()) {
            children.add(child);
        }
        return children;
    }

    private static int firstLine(Node node) {
        return node.getSourceSpans().get(0).getLineIndex();
    }

    private static Optional<ContentBlock> block(Node node, String source, String text) {
        if (node instanceof Heading heading && heading.getLevel() <= ContentBlock.MAX_LEVEL) {
            return Optional.of(new ContentBlock(Kind.HEADING, List.of(inline(node, text)), "", heading.getLevel()));
        } else if (node instanceof ThematicBreak) {
            return Optional.of(ContentBlock.of(Kind.DIVIDER, ""));
        } else if (node instanceof BlockQuote) {
            return Optional.of(ContentBlock.of(Kind.QUOTE, source.replaceAll("(?m)^ {0,3}> ?", "")));
        } else if (node instanceof MarkdownContainers.Footer || node instanceof MarkdownContainers.Columns) {
            return container(node, source);
        }
        return only(node, Paragraph.class)
                .flatMap(ContentBlocks::linked)
                .map(linked -> linked instanceof Image image
                        ? new ContentBlock(
                                Kind.IMAGE,
                                List.of(inline(image, text)),
                                MarkdownRenderer.unmarked(image.getDestination()),
                                2)
                        : new ContentBlock(
                                Kind.BUTTON,
                                List.of(inline(linked, text)),
                                MarkdownRenderer.unmarked(((Link) linked).getDestination()),
                                2));
    }

    /** Returns the Markdown inside a node. */
    private static String inline(Node node, String text) {
        if (node.getFirstChild() == null) {
            return "";
        }
        List<SourceSpan> last = node.getLastChild().getSourceSpans();
        return text.substring(
                node.getFirstChild().getSourceSpans().get(0).getInputIndex(),
                last.get(last.size() - 1).getInputIndex()
                        + last.get(last.size() - 1).getLength());
    }

    /** Returns the only child of a node of this type. */
    private static Optional<Node> only(Node node, Class<?> type) {
        Node child = node.getFirstChild();
        return Optional.ofNullable(child).filter(found -> type.isInstance(node) && found.getNext() == null);
    }

    /** Returns the image, or the link of a button, without a title, which no field of the editor shows. */
    private static Optional<Node> linked(Node node) {
        if (node instanceof Image image) {
            return Optional.<Node>of(image).filter(found -> image.getTitle() == null);
        }
        return only(node, StrongEmphasis.class).filter(found -> found instanceof Link link && link.getTitle() == null);
    }

    private static Optional<ContentBlock> container(Node node, String source) {
        List<String> lines = new ArrayList<>(source.lines().skip(1).toList());
        if (!lines.isEmpty()
                && MarkdownContainers.END.equals(lines.get(lines.size() - 1).strip())) {
            lines.remove(lines.size() - 1);
        }
        if (node instanceof MarkdownContainers.Footer) {
            return Optional.of(ContentBlock.of(Kind.FOOTER, inner(lines)));
        }
        List<String> columns = new ArrayList<>();
        int from = 0;
        for (Node column : children(node).subList(1, children(node).size())) {
            List<SourceSpan> spans = column.getSourceSpans();
            int line = spans.get(0).getLineIndex() - firstLine(node) - 1;
            columns.add(inner(lines.subList(from, line)));
            from = line + 1;
        }
        columns.add(inner(lines.subList(from, lines.size())));
        return columns.size() < ContentBlock.MIN_COLUMNS
                ? Optional.empty()
                : Optional.of(new ContentBlock(Kind.COLUMNS, columns, "", 2));
    }

    private static String inner(List<String> lines) {
        return trimmed(String.join("\n", lines));
    }

    /** Removes blank lines around a text. The first line keeps its spaces, because they may mean code. */
    private static String trimmed(String text) {
        return BLANK_LINES
                .matcher(LINE_BREAK.matcher(text).replaceAll("\n"))
                .replaceFirst("")
                .stripTrailing();
    }

    private static String written(ContentBlock block) {
        String text = trimmed(block.text());
        return switch (block.kind()) {
            case TEXT -> closed(text);
            case HEADING -> "#".repeat(block.level()) + " " + heading(text);
            case IMAGE -> linked(block, Image.class, label -> "![" + label + "](" + address(block.address()) + ")");
            case BUTTON ->
                linked(block, StrongEmphasis.class, label -> "**[" + label + "](" + address(block.address()) + ")**");
            case DIVIDER -> "---";
            case QUOTE ->
                text.lines().map(line -> ("> " + line).stripTrailing()).collect(Collectors.joining("\n"));
            case FOOTER -> MarkdownContainers.FOOTER + "\n" + withoutColons(text) + "\n" + MarkdownContainers.END;
            case COLUMNS ->
                block.parts().stream()
                        .map(ContentBlocks::trimmed)
                        .map(ContentBlocks::withoutColons)
                        .collect(Collectors.joining(
                                "\n\n" + MarkdownContainers.NEXT_COLUMN + "\n",
                                MarkdownContainers.COLUMNS + "\n",
                                "\n" + MarkdownContainers.END));
        };
    }

    /** Ends a piece of code, or a container, that would take in the blocks after it. */
    private static String closed(String text) {
        Node last = MarkdownRenderer.parse(text + "\n\n***\n").getLastChild();
        if (last instanceof FencedCodeBlock code) {
            return text + "\n" + code.getFenceCharacter().repeat(code.getOpeningFenceLength());
        }
        boolean open = last instanceof MarkdownContainers.Columns || last instanceof MarkdownContainers.Footer;
        return open ? text + "\n" + MarkdownContainers.END : text;
    }

    private static String heading(String text) {
        return CLOSING_HASHES.matcher(line(text)).replaceFirst("\\\\");
    }

    private static String line(String text) {
        return LINE_BREAKS.matcher(text.strip()).replaceAll(" ");
    }

    /** Writes a label as it is, or with its special characters escaped if the result would be no link or image. */
    private static String linked(ContentBlock block, Class<?> type, UnaryOperator<String> write) {
        String label = line(block.text());
        String written = write.apply(label);
        boolean fits = only(MarkdownRenderer.parse(written), org.commonmark.node.Document.class)
                .flatMap(paragraph -> only(paragraph, Paragraph.class))
                .filter(type::isInstance)
                .flatMap(ContentBlocks::linked)
                .isPresent();
        return fits ? written : write.apply(SPECIAL.matcher(label).replaceAll("\\\\$0"));
    }

    private static String address(String typed) {
        String address = line(typed);
        String escaped = ENTITY.matcher(address).replaceAll("&amp;");
        return PLAIN_ADDRESS.matcher(address).matches()
                ? escaped
                : "<" + escaped.replaceAll("[\\\\<>]", "\\\\$0").replaceAll("\\p{Cntrl}", "") + ">";
    }

    private static String withoutColons(String text) {
        return COLONS.matcher(text).replaceAll("$1\\\\");
    }

    private static boolean sameMail(String one, String other) {
        return MarkdownRenderer.render(one, Layout.Frame.Buttons.OURS)
                .equals(MarkdownRenderer.render(other, Layout.Frame.Buttons.OURS));
    }
}
