package org.azuremail.content;

import java.util.ArrayDeque;
import java.util.Deque;

/** Plain text that is written word by word: blanks collapse, breaks are kept until something follows them. */
final class TextLines {

    /** At most two blank lines, however many breaks there are. */
    private static final int MOST_BREAKS = 3;

    /** Quotes and lists that stand deeper are not set in any further. */
    private static final int MOST_INSETS = 8;

    /** The beginning of each line in a quote or an item; the first line of an item begins with its mark. */
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
    /** The number of insets that have been there since the last line. */
    private int lasting;

    private int breaks;
    private boolean lineBegun;
    private boolean blank;

    /** The length of the text so far: marks the beginning of what {@link #since} returns. */
    int length() {
        return text.length();
    }

    String since(int length) {
        return text.substring(length).strip();
    }

    /** Ends the line and has so many line breaks in all before what comes next. */
    void breaks(int wanted) {
        if (wanted == 0) {
            return;
        }
        breaks = text.isEmpty() ? 0 : Math.max(breaks, wanted);
        lineBegun = false;
        blank = false;
    }

    /** A line break that the author set: two of them leave a blank line. */
    void lineBreak() {
        breaks(Math.min(MOST_BREAKS, lineBegun ? 1 : breaks + 1));
    }

    /** A line break of a text whose shape is kept. */
    void newLine() {
        breaks(lineBegun ? 1 : breaks + 1);
    }

    /** Goes on at the end of the line that was ended last; whether one was. */
    boolean resume() {
        boolean ended = !lineBegun;
        lineBegun = !text.isEmpty();
        breaks = 0;
        return ended;
    }

    /** A character that joins or parts letters, between letters; elsewhere nothing. */
    void joined(String joiner) {
        if (lineBegun && !blank) {
            text.append(joiner);
        }
    }

    void blank() {
        blank = lineBegun;
    }

    void indent(String first, String rest) {
        if (insets.size() < MOST_INSETS) {
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

    /** Characters as they are; no line breaks. */
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

    /** In a quote it bears the quote's mark. */
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
