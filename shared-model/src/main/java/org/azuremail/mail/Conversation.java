package org.azuremail.mail;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The conversation between us and a server, for a person who tests a transport. Bounded, and without secrets: whoever sends one
 * says so with {@link #hide} first, and it is masked wherever it appears, in what the server says too. Safe for use from many
 * threads.
 */
public class Conversation {

    /** Keeps nothing: mail that is not a test. */
    public static final Conversation NONE = new Conversation() {
        @Override
        public void hide(String secret) {}

        @Override
        public void add(Who who, String text) {}
    };

    /** Stands where a secret was. */
    public static final String MASK = "••••••••";

    private static final int MOST_LINES = 300;
    private static final int LONGEST_LINE = 1000;

    private final List<Line> lines = new ArrayList<>();
    private final List<String> secrets = new ArrayList<>();

    /** The side that says a line. */
    public enum Who {
        US,
        SERVER,
        /** We sent the email; the text is its size in bytes. */
        EMAIL,
        /** From here on it is encrypted; the text is the protocol. */
        ENCRYPTED,
        /** The conversation broke; the text says how. */
        BROKE
    }

    /** A line; control characters are blanks. */
    public record Line(Who who, String text) {}

    /** Masks this text from now on. */
    public synchronized void hide(String secret) {
        if (!secret.isEmpty() && !secrets.contains(secret)) {
            secrets.add(secret);
            secrets.sort(Comparator.comparingInt(String::length).reversed());
        }
    }

    /** Adds a line; what is too long is cut, and what is too much is dropped. */
    public synchronized void add(Who who, String text) {
        if (lines.size() < MOST_LINES) {
            lines.add(new Line(who, shown(text)));
        }
    }

    private String shown(String text) {
        String masked = text;
        for (String secret : secrets) {
            masked = masked.replace(secret, MASK);
        }
        StringBuilder shown = new StringBuilder();
        masked.codePoints()
                .limit(LONGEST_LINE)
                .forEach(c -> shown.appendCodePoint(Character.isISOControl(c) ? ' ' : c));
        return masked.codePointCount(0, masked.length()) > LONGEST_LINE ? shown + "…" : shown.toString();
    }

    public synchronized List<Line> lines() {
        return List.copyOf(lines);
    }
}
