package org.azuremail.mail;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The conversation between the service and a server, shown to a person who tests a transport. It is bounded and
 * contains no secrets: code that sends one calls {@link #hide} first, which masks the secret wherever it appears,
 * including the server's lines. Safe for use from many threads.
 */
public class Conversation {

    /** Records nothing; for emails that are not a test. */
    public static final Conversation NONE = new Conversation() {
        @Override
        public void hide(String secret) {}

        @Override
        public void add(Speaker who, String text) {}
    };

    /** Replaces a secret. */
    public static final String MASK = "••••••••";

    private static final int MAX_LINES = 300;
    private static final int MAX_LINE_LENGTH = 1000;

    private final List<Line> lines = new ArrayList<>();
    private final List<String> secrets = new ArrayList<>();

    /** The speaker or the event of a line. */
    public enum Speaker {
        US,
        SERVER,
        /** The service sent the email; the text is its size in bytes. */
        EMAIL,
        /** The connection is encrypted from this line on; the text is the protocol. */
        ENCRYPTED,
        /** The connection broke; the text says how. */
        BROKE
    }

    /** A line in which control characters are replaced by blanks. */
    public record Line(Speaker who, String text) {}

    /** Masks this text in all later lines. */
    public synchronized void hide(String secret) {
        if (!secret.isEmpty() && !secrets.contains(secret)) {
            secrets.add(secret);
            secrets.sort(Comparator.comparingInt(String::length).reversed());
        }
    }

    /** Adds a line. A line that is too long is cut; lines beyond the limit are dropped. */
    public synchronized void add(Speaker speaker, String text) {
        if (lines.size() < MAX_LINES) {
            lines.add(new Line(speaker, shown(text)));
        }
    }

    private String shown(String text) {
        String masked = text;
        for (String secret : secrets) {
            masked = masked.replace(secret, MASK);
        }
        StringBuilder shown = new StringBuilder();
        masked.codePoints()
                .limit(MAX_LINE_LENGTH)
                .forEach(c -> shown.appendCodePoint(Character.isISOControl(c) ? ' ' : c));
        return masked.codePointCount(0, masked.length()) > MAX_LINE_LENGTH ? shown + "…" : shown.toString();
    }

    public synchronized List<Line> lines() {
        return List.copyOf(lines);
    }
}
