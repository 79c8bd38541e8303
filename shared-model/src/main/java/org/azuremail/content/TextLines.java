package org.azuremail.content;

import java.util.ArrayDeque;
import java.util.Deque;

/** Writes plain text word by word. Blanks collapse, and line breaks are kept until text follows. */
final class TextLines {

    /** The most consecutive line breaks, which leave at most two blank lines. */
    private static final int MAX_BREAKS = 3;

    /** The deepest indentation of quotes and lists; deeper ones are not indented any further. */
    private static final int MAX_INSETS = 8;

    /** The beginning of each line in a quote or an item. The first line of an item begins with its mark. */
    private static final class Inset {
        private final String rest;
        private String first;

        Inset(String first, String rest) {
            this.first = first;
            this.rest = rest;
        }

        String take() {
            String taken = first;
            first = rest;
            return taken;
        }
    }

    private final StringBuilder text = new StringBuilder();
    private final Deque<Inset> insets = new ArrayDeque<>();
    private int deeper;
    /** The number of insets that have existed since the last line. */
    private int lasting;

    private int breaks;
    private boolean lineBegun;
    private boolean blank;

    /** Returns the length of the text so far, which marks the beginning for {@link #since}. */
    int length() {
        return text.length();
    }

    String since(int length) {
        return text.substring(length).strip();
    }

    /** Ends the line, and requires this number of line breaks in all before the next text. */
    void breaks(int wanted) {
        if (wanted == 0) {
            return;
        }
        breaks = text.isEmpty() ? 0 : Math.max(breaks, wanted);
        lineBegun = false;
        blank = false;
    }

    /** Adds the author's line break; two of them leave a blank line. */
    void lineBreak() {
        breaks(Math.min(MAX_BREAKS, lineBegun ? 1 : breaks + 1));
    }

    /** Adds a line break of preformatted text. */
    void newLine() {
        breaks(lineBegun ? 1 : breaks + 1);
    }

    /** Continues the line that was ended last. Returns whether a line was ended. */
    boolean resume() {
        boolean ended = !lineBegun;
        lineBegun = !text.isEmpty();
        breaks = 0;
        return ended;
    }

    /** Writes a character that joins or separates letters, but only between letters. */
    void joined(String joiner) {
        if (lineBegun && !blank) {
            text.append(joiner);
        }
    }

    void blank() {
        blank = lineBegun;
    }

    void indent(String first, String rest) {
        if (insets.size() < MAX_INSETS) {
            insets.addLast(new Inset(first, rest));
        } else {
            deeper++;
        }
    }

    void outdent() {
        if (deeper > 0) {
            deeper--;
        } else {
            insets.removeLast();
            lasting = Math.min(lasting, insets.size());
        }
    }

    /** Writes characters unchanged; they must not contain line breaks. */
    void write(String characters) {
        for (int i = 0; i < characters.length(); i++) {
            write(characters.charAt(i));
        }
    }

    void write(char c) {
        begin();
        if (blank) {
            text.append(' ');
            blank = false;
        }
        text.append(c);
    }

    private void begin() {
        if (lineBegun) {
            return;
        }
        for (int i = 0; i < breaks; i++) {
            text.append(i == 0 ? "" : blankLine()).append('\n');
        }
        insets.forEach(inset -> text.append(inset.take()));
        lasting = insets.size();
        breaks = 0;
        lineBegun = true;
    }

    /** Returns a blank line, which in a quote has the quote's mark. */
    private String blankLine() {
        StringBuilder line = new StringBuilder();
        insets.stream().limit(lasting).forEach(inset -> line.append(inset.rest));
        return line.toString().stripTrailing();
    }

    @Override
    public String toString() {
        String written = text.toString();
        return written.isBlank() ? "" : written.stripTrailing() + "\n";
    }
}
