package org.azuremail.content;

import org.jspecify.annotations.Nullable;

/**
 * The layout of a message's content.
 *
 * @param template names a template of the gallery; empty for HTML that is a whole page
 * @param preview what inboxes show behind the subject; may be empty, and may have merge fields
 */
public record Layout(String template, String preview) {

    /** Of Markdown whose author chose nothing. */
    public static final Layout LETTER = new Layout("letter", "");

    /** Of HTML whose author chose nothing. */
    public static final Layout NONE = new Layout("", "");

    /** {@code null} leaves a part as it is. */
    public Layout with(@Nullable String otherTemplate, @Nullable String otherPreview) {
        return new Layout(
                otherTemplate == null ? template : otherTemplate.strip(),
                otherPreview == null ? preview : otherPreview.strip());
    }

    /** The frame around the content of a message. */
    public interface Frame {

        /**
         * The look of buttons that are written in Markdown.
         *
         * @param color of the button, as {@code #rrggbb}
         * @param textColor of the text on it
         */
        record Buttons(String color, String textColor) {

            public static final Buttons OURS = new Buttons("#0062b3", "#ffffff");
        }

        Buttons buttons();

        /** The whole document around a piece of HTML, which may have merge fields. */
        String around(String content);
    }

    /**
     * The text that an author wrote, from which the HTML is rendered.
     *
     * @param written Markdown, or a piece of HTML
     */
    public record Source(String written, boolean markdown, Layout layout) {}
}
