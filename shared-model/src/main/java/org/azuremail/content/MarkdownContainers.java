package org.azuremail.content;

import java.util.Map;
import java.util.Set;
import org.commonmark.node.Block;
import org.commonmark.node.BlockQuote;
import org.commonmark.node.CustomBlock;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.parser.block.AbstractBlockParser;
import org.commonmark.parser.block.BlockContinue;
import org.commonmark.parser.block.BlockStart;
import org.commonmark.parser.block.MatchedBlockParser;
import org.commonmark.parser.block.ParserState;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * Adds columns and a footer to Markdown. They stand between lines of three colons, as in Pandoc:
 *
 * <pre>
 * ::: columns
 * the first column
 *
 * ::: column
 * the second column
 * :::
 * </pre>
 *
 * A container without an end reaches to the end of the text. Containers stand in no quote, list or other container.
 */
final class MarkdownContainers implements Parser.ParserExtension, HtmlRenderer.HtmlRendererExtension {

    static final String END = ":::";
    static final String COLUMNS = "::: columns";
    static final String NEXT_COLUMN = "::: column";
    static final String FOOTER = "::: footer";

    /** The most columns: a fourth one would be narrower than a word on many screens. */
    static final int MAX_COLUMNS = 3;

    private static final String FOOTER_STYLE =
            "margin:24px 0 16px;padding:16px 0 0;border-top:1px solid #c3cad6;font-size:13px;line-height:20px;";

    /**
     * The columns stand side by side where there are more than 430 px, and below each other otherwise. No media query
     * is needed, which some mail programs remove: the width is far below 0 or far above 100 %, and its limits decide.
     */
    private static final String COLUMN_STYLE = "display:inline-block;vertical-align:top;box-sizing:border-box;"
            + "padding:0 12px 0 0;max-width:100%;width:calc(184900px - 43000%);min-width:";

    /** Columns, which contain nothing but {@link Column}s. */
    static final class Columns extends CustomBlock {

        int count() {
            int count = 0;
            for (Node column = getFirstChild(); column != null; column = column.getNext()) {
                count++;
            }
            return count;
        }
    }

    static final class Column extends CustomBlock {}

    static final class Footer extends CustomBlock {}

    @Override
    public void extend(Parser.Builder builder) {
        builder.customBlockParserFactory(MarkdownContainers::start);
    }

    @Override
    public void extend(HtmlRenderer.Builder builder) {
        builder.nodeRendererFactory(Html::new);
    }

    private static BlockStart start(ParserState state, MatchedBlockParser matched) {
        if (state.getIndent() > 3) {
            return BlockStart.none();
        }
        Block parent = matched.getMatchedBlockParser().getBlock();
        int end = state.getLine().getContent().length();
        String line = line(state);
        if (line.equals(NEXT_COLUMN) && parent instanceof Columns columns && columns.count() < MAX_COLUMNS) {
            return BlockStart.of(new Container(new Column())).atIndex(end);
        }
        for (Node around = parent; around != null; around = around.getParent()) {
            if (around instanceof CustomBlock || around instanceof BlockQuote || around instanceof ListItem) {
                return BlockStart.none();
            }
        }
        if (line.equals(COLUMNS)) {
            return BlockStart.of(new Container(new Columns()), new Container(new Column()))
                    .atIndex(end);
        }
        return line.equals(FOOTER) ? BlockStart.of(new Container(new Footer())).atIndex(end) : BlockStart.none();
    }

    private static String line(ParserState state) {
        return state.getLine().getContent().toString().strip();
    }

    private static final class Container extends AbstractBlockParser {

        private final Block block;

        Container(Block block) {
            this.block = block;
        }

        @Override
        public Block getBlock() {
            return block;
        }

        @Override
        public boolean isContainer() {
            return true;
        }

        @Override
        public boolean canContain(Block child) {
            return !(block instanceof Columns) || child instanceof Column;
        }

        @Override
        public BlockContinue tryContinue(ParserState state) {
            if (state.getIndent() <= 3) {
                String line = line(state);
                if (block instanceof Column) {
                    boolean more = ((Columns) block.getParent()).count() < MAX_COLUMNS;
                    return line.equals(NEXT_COLUMN) && more
                            ? BlockContinue.none()
                            : BlockContinue.atIndex(state.getIndex());
                }
                if (line.equals(END)) {
                    return BlockContinue.finished();
                }
            }
            return BlockContinue.atIndex(state.getIndex());
        }
    }

    private record Html(HtmlNodeRendererContext context) implements NodeRenderer {

        @Override
        public Set<Class<? extends Node>> getNodeTypes() {
            return Set.of(Columns.class, Column.class, Footer.class);
        }

        @Override
        public void render(Node node) {
            if (node instanceof Columns) {
                context.getWriter().line();
                around(
                        node,
                        "<!--[if mso]><table role=\"presentation\" width=\"100%\" cellspacing=\"0\"><tr><![endif]-->",
                        Map.of("class", "columns"),
                        "<!--[if mso]></tr></table><![endif]-->");
                context.getWriter().line();
            } else if (node instanceof Column) {
                int percent = 100 / ((Columns) node.getParent()).count();
                around(
                        node,
                        "<!--[if mso]><td width=\"" + percent + "%\" valign=\"top\"><![endif]-->",
                        Map.of("style", COLUMN_STYLE + percent + "%;"),
                        "<!--[if mso]></td><![endif]-->");
            } else {
                context.getWriter().line();
                around(node, "", Map.of("style", FOOTER_STYLE), "");
                context.getWriter().line();
            }
        }

        /** Spaces between the columns would take room from them, so none are written. */
        private void around(Node node, String before, Map<String, String> attributes, String after) {
            context.getWriter().raw(before);
            context.getWriter().tag("div", attributes);
            for (Node child = node.getFirstChild(); child != null; child = child.getNext()) {
                context.render(child);
            }
            context.getWriter().tag("/div");
            context.getWriter().raw(after);
        }
    }
}
