package org.azuremail.content;

import org.jspecify.annotations.Nullable;

/**
 * The layout of a message's content.
 *
 * @param template the name of a template of the gallery; empty for HTML that is a whole page
 * @param preview the text that inboxes show after the subject; may be empty, and may contain merge fields
 */
public record Layout(String template, String preview) {

    /** The default for Markdown. */
    public static final Layout LETTER = new Layout("letter", "");

    /** The default for HTML. */
    public static final Layout NONE = new Layout("", "");

    /** Returns a copy with the given parts; {@code null} keeps a part. */
    public Layout with(@Nullable String otherTemplate, @Nullable String otherPreview) {
        return new Layout(
                otherTemplate == null ? template : otherTemplate.strip(),
                otherPreview == null ? preview : otherPreview.strip());
    }

    /** The frame around the content of a message. */
    public interface Frame {

        /**
         * The look of buttons written in Markdown.
         *
         * @param color the button's colour, as {@code #rrggbb}
         * @param textColor the colour of its text
         */
        record Buttons(String color, String textColor) {

            public static final Buttons OURS = new Buttons("#0062b3", "#ffffff");
        }

        Buttons buttons();

        /** Returns the whole document around a piece of HTML, which may contain merge fields. */
        String around(String content);
    }

    /**
     * The author's text, from which the HTML is rendered.
     *
     * @param written Markdown, or a piece of HTML
     */
    public record Source(String written, boolean markdown, Layout layout) {}
}
