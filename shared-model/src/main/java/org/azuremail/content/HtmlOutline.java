package org.azuremail.content;

import java.util.IdentityHashMap;
import java.util.Set;
import org.jsoup.nodes.CDataNode;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.DocumentType;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.LeafNode;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jspecify.annotations.Nullable;

/**
 * The places where something can be added to an author's HTML without changing it.
 *
 * @param start the position after the doctype; text inserted there belongs to the head
 * @param end the last position where a line is still read and shown: before {@code </body>}, comments at the end, and
 *     elements that do not end
 * @param shown the source without the parts that readers do not see: comments, scripts, hidden elements
 */
public record HtmlOutline(int start, int end, String shown) {

    public static HtmlOutline of(String html) {
        Places places = new Places(html);
        HtmlWalker.through(html, places);
        return places.outline();
    }

    private static final class Places implements HtmlWalker.Reader {

        /** Elements in which a line would not be read as HTML, or not be shown. */
        private static final Set<String> SWALLOW = Set.of(
                ("script style title textarea template select iframe noembed noframes noscript object audio video"
                                + " canvas xmp plaintext")
                        .split(" "));

        private final String html;
        private final StringBuilder shown;
        private int copied;
        private int start;
        private int lastShown;
        private int body = -1;
        private int barrier = Integer.MAX_VALUE;
        private @Nullable Element swallowing;
        private final IdentityHashMap<Element, HiddenStyle> tiny = new IdentityHashMap<>();

        Places(String html) {
            this.html = html;
            this.shown = new StringBuilder(html.length());
        }

        @Override
        public void open(Element element) {
            if (swallowing != null) {
                return;
            }
            HiddenStyle style = style(element.parent()).of(element);
            if (SWALLOW.contains(element.normalName()) || style.nothing() || style.invisible()) {
                swallowing = element;
            } else if (style.tiny()) {
                tiny.put(element, style);
                cut(
                        element.sourceRange().startPos(),
                        within(element.sourceRange().endPos()));
            } else {
                lastShown = Math.max(lastShown, within(element.sourceRange().endPos()));
            }
        }

        /** Returns the style of an element whose text has size zero; an element inside may have another size. */
        private HiddenStyle style(@Nullable Element element) {
            return element == null ? HiddenStyle.SHOWN : tiny.getOrDefault(element, HiddenStyle.SHOWN);
        }

        @Override
        public void leaf(LeafNode leaf) {
            int end = within(leaf.sourceRange().endPos());
            if (leaf instanceof DocumentType) {
                if (start == 0 && html.charAt(end - 1) == '>') {
                    start = end;
                    lastShown = Math.max(lastShown, end);
                }
            } else if (swallowing == null) {
                boolean hidden = leaf.parent() != null && tiny.containsKey(leaf.parent());
                if (leaf instanceof TextNode text && !(leaf instanceof CDataNode) && !hidden) {
                    lastShown = text.isBlank() ? lastShown : end;
                } else {
                    cut(leaf.sourceRange().startPos(), end);
                }
            }
        }

        @Override
        public void close(Element element, Node by, int at) {
            String name = element.normalName();
            if (element.equals(swallowing)) {
                swallowing = null;
                closeSwallowing(element, by, at);
            } else if (swallowing == null && tiny.containsKey(element) && endless(element, by)) {
                barrier = Math.min(barrier, element.sourceRange().startPos());
            } else if (swallowing == null && by.equals(element)) {
                if (name.equals("body")) {
                    body = at;
                } else if (!name.equals("html")) {
                    lastShown =
                            Math.max(lastShown, within(element.endSourceRange().endPos()));
                }
            }
        }

        private void closeSwallowing(Element element, Node by, int at) {
            int from = element.sourceRange().startPos();
            if (endless(element, by)) {
                barrier = Math.min(barrier, from);
                cut(from, html.length());
            } else {
                int end = within(by.equals(element) ? element.endSourceRange().endPos() : at);
                cut(from, end);
                lastShown = Math.max(lastShown, end);
            }
        }

        private static boolean endless(Element element, Node by) {
            return by instanceof Document
                    || element.normalName().equals("plaintext")
                    || (!by.equals(element)
                            && by instanceof Element tag
                            && Set.of("body", "html").contains(tag.normalName()));
        }

        /** Limits a position to the source: the parser puts the end of an unfinished last tag behind it. */
        private int within(int position) {
            return Math.min(position, html.length());
        }

        private void cut(int from, int to) {
            if (from > copied) {
                shown.append(html, copied, from);
            }
            copied = Math.max(copied, to);
        }

        /** Returns the result. A tag that does not end is not a node, so the text after the last node is not shown. */
        HtmlOutline outline() {
            int end = Math.min(barrier, body >= 0 ? body : lastShown);
            int read = Math.max(end, lastShown);
            if (read > copied) {
                shown.append(html, copied, read);
            }
            return new HtmlOutline(Math.min(start, end), end, shown.toString());
        }
    }
}
