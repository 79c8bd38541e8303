package org.azuremail.content;

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
