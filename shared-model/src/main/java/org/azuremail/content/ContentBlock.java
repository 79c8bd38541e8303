package org.azuremail.content;

import java.util.List;

/**
 * A piece of a message, as the block editor shows it. {@link ContentBlocks} converts it from and to Markdown.
 *
 * @param parts Markdown: of each column, or of the only part of another kind. A heading, the text of a button and what
 *     an image shows are one line
 * @param address where a button leads, or the address of an image; empty for other kinds
 * @param level the level of a heading, from 1 to {@value #MAX_LEVEL}
 */
public record ContentBlock(Kind kind, List<String> parts, String address, int level) {

    public static final int MAX_LEVEL = 3;

    /** The fewest and the most columns side by side. */
    public static final int MIN_COLUMNS = 2;

    public static final int MAX_COLUMNS = MarkdownContainers.MAX_COLUMNS;

    /** The kinds, in the order in which they are offered. */
    public enum Kind {
        HEADING,
        TEXT,
        IMAGE,
        BUTTON,
        COLUMNS,
        DIVIDER,
        QUOTE,
        FOOTER
    }

    public ContentBlock {
        int fewest = kind == Kind.COLUMNS ? MIN_COLUMNS : 1;
        int most = kind == Kind.COLUMNS ? MAX_COLUMNS : 1;
        if (parts.size() < fewest || parts.size() > most || level < 1 || level > MAX_LEVEL) {
            throw new IllegalArgumentException(kind + " with " + parts.size() + " parts at level " + level);
        }
        parts = List.copyOf(parts);
    }

    /** Returns a new block for the author to fill in. */
    public static ContentBlock empty(Kind kind) {
        return new ContentBlock(kind, kind == Kind.COLUMNS ? List.of("", "") : List.of(""), "", 2);
    }

    static ContentBlock of(Kind kind, String text) {
        return new ContentBlock(kind, List.of(text), "", 2);
    }

    public String text() {
        return parts.get(0);
    }

    boolean isBlank() {
        return kind != Kind.DIVIDER && address.isBlank() && parts.stream().allMatch(String::isBlank);
    }
}
