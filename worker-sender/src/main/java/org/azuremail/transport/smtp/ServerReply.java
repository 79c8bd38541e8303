package org.azuremail.transport.smtp;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.azuremail.reason.Reason;

/**
 * One reply of a server.
 *
 * @param code of three digits
 * @param lines the text after the code, line by line
 */
record ServerReply(int code, List<String> lines) {

    /** The longest part of a reply that is kept, because reasons are stored with every recipient. */
    private static final int MAX_LENGTH = 1000;

    private static final int CODE = 4;
    private static final Pattern CONTROL = Pattern.compile("\\p{IsControl}");

    ServerReply {
        lines = List.copyOf(lines);
    }

    /** @param lines as received, each with its code */
    static ServerReply of(List<String> lines) {
        List<String> words = new ArrayList<>(lines.size());
        for (String line : lines) {
            words.add(line.substring(Math.min(CODE, line.length())));
        }
        return new ServerReply(Integer.parseInt(lines.get(0), 0, 3, 10), words);
    }

    boolean isPositive() {
        return code / 100 == 2;
    }

    /** Returns whether the reply is a temporary or permanent refusal. */
    boolean refuses() {
        return code / 100 == 4 || code / 100 == 5;
    }

    /** Returns the code, the enhanced code and the server's words on one line; an enhanced code is not repeated. */
    String text() {
        StringBuilder text = new StringBuilder().append(code);
        String enhanced = lines.size() == 1 ? "" : enhanced(lines.get(0));
        for (int i = 0; i < lines.size() && text.length() < MAX_LENGTH; i++) {
            String line = lines.get(i);
            String words = i > 0 && !enhanced.isEmpty() && line.startsWith(enhanced)
                    ? line.substring(enhanced.length())
                    : line;
            text.append(words.isBlank() ? "" : " ").append(readable(words).strip());
        }
        return text.length() <= MAX_LENGTH ? text.toString() : Reason.truncate(text.toString(), MAX_LENGTH - 1) + "…";
    }

    /** Returns an enhanced code such as {@code 5.7.1}, or an empty text. */
    private static String enhanced(String line) {
        int end = line.indexOf(' ');
        String first = end < 0 ? line : line.substring(0, end);
        return first.matches("[245]\\.\\d{1,3}\\.\\d{1,3}") ? first : "";
    }

    /** Replaces control characters, which could disturb a page or a log. */
    static String readable(String text) {
        return CONTROL.matcher(text).replaceAll(" ");
    }
}
