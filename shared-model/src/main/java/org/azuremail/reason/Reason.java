package org.azuremail.reason;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.MissingResourceException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The reason why something waits, failed or was refused. Code decides by {@link #is}, never by words. Rows contain
 * {@link #stored()}; pages, emails and the API show {@link #words()}. Immutable.
 *
 * @param code the name of a {@link Code}, perhaps one that only a later version knows; empty if there is no reason
 * @param values the parameters of the words: texts, whole numbers, instants (to the second) and other reasons
 */
public record Reason(String code, List<Object> values) {

    public static final Reason NONE = new Reason("", List.of());

    private static final String SAID = "SAID";

    /**
     * Begins the stored form of a code and ends each of its parts. No sentence of an older version begins with it.
     */
    private static final String BAR = "|";

    private static final String NUMBER = "\\n";
    private static final String INSTANT = "\\t";
    private static final String REASON = "\\r";

    /** An enum of reasons. Rows contain its names; its words are {@code reason.<name>} in messages.properties. */
    public interface Code {
        String name();
    }

    public Reason {
        values = values.stream().map(Reason::normal).toList();
    }

    private static Object normal(Object value) {
        return value instanceof Integer number
                ? (Object) number.longValue()
                : value instanceof Instant instant
                        ? instant.truncatedTo(ChronoUnit.SECONDS)
                        : value instanceof String text ? replaceLoneSurrogates(text) : value;
    }

    /** Replaces unpaired surrogates, which no storage accepts. A server may send them, for example in JSON. */
    private static String replaceLoneSurrogates(String text) {
        return text.chars().anyMatch(c -> Character.isSurrogate((char) c))
                ? new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)
                : text;
    }

    /** Returns the beginning of a text, of at most {@code longest} UTF-16 units, without half of a surrogate pair. */
    public static String truncate(String text, int longest) {
        if (text.length() <= longest) {
            return replaceLoneSurrogates(text);
        }
        boolean within = Character.isHighSurrogate(text.charAt(longest - 1));
        return replaceLoneSurrogates(text.substring(0, within ? longest - 1 : longest));
    }

    public static Reason of(Code code, Object... values) {
        return new Reason(code.name(), Arrays.asList(values));
    }

    /** Returns a reason with the words of a server, a library or an exception. */
    public static Reason ofText(@Nullable String words) {
        return words == null || words.isEmpty() ? NONE : new Reason(SAID, List.of(words));
    }

    /** Returns this reason combined with another one. */
    public Reason and(Reason other) {
        return none() ? other : other.none() ? this : of(ReasonCode.BOTH, this, other);
    }

    public boolean none() {
        return code.isEmpty();
    }

    public boolean is(Code other) {
        return code.equals(other.name());
    }

    /** Returns the text of a parameter; empty if the reason has no such parameter. */
    public String text(int place) {
        return place < values.size() ? values.get(place).toString() : "";
    }

    public Reason cause(int place) {
        return place < values.size() && values.get(place) instanceof Reason cause ? cause : ofText(text(place));
    }

    /** Returns the form that rows store; {@link #read} reads it. */
    public String stored() {
        if (none()) {
            return "";
        }
        StringBuilder stored = new StringBuilder(BAR).append(code);
        values.forEach(value -> stored.append(BAR).append(written(value)));
        return LegacySentences.findLegacyForm(this).orElseGet(stored::toString);
    }

    /** Returns the stored form, of at most {@code longest} characters; the end of the last value is cut off. */
    public String stored(int longest) {
        return truncate(stored(), longest);
    }

    /** Parses the stored form, also a sentence of a version before reason codes. */
    public static Reason read(@Nullable String stored) {
        if (stored == null || stored.isEmpty()) {
            return NONE;
        }
        if (!stored.startsWith(BAR)) {
            return LegacySentences.read(stored);
        }
        String[] parts = stored.split("\\|", -1);
        List<Object> values = new ArrayList<>();
        for (int i = 2; i < parts.length; i++) {
            values.add(value(parts[i]));
        }
        return parts[1].isEmpty() ? NONE : new Reason(parts[1], values);
    }

    /** Returns the reason in English with times in UTC, for logs and the API. */
    public String words() {
        return words(ZoneOffset.UTC);
    }

    /** Returns the reason in English with times in a zone, for pages and emails to admins. */
    public String words(ZoneId zone) {
        try {
            return none() ? "" : code.equals(SAID) ? text(0) : Words.of(zone, "reason." + code, values);
        } catch (MissingResourceException | IllegalArgumentException ofALaterVersion) {
            return values.isEmpty()
                    ? code
                    : values.stream().map(Object::toString).collect(Collectors.joining(", "));
        }
    }

    /** Returns the {@link #words()}, for logs. */
    @Override
    public String toString() {
        return words();
    }

    private static String written(Object value) {
        return value instanceof Long
                ? NUMBER + value
                : value instanceof Instant
                        ? INSTANT + value
                        : value instanceof Reason reason
                                ? REASON + escaped(reason.stored())
                                : escaped(value.toString());
    }

    private static Object value(String written) {
        try {
            if (written.startsWith(NUMBER)) {
                return Long.valueOf(written.substring(2));
            }
            if (written.startsWith(INSTANT)) {
                return Instant.parse(written.substring(2));
            }
        } catch (RuntimeException cutOff) {
            return written.substring(2);
        }
        return written.startsWith(REASON) ? read(plain(written.substring(2))) : plain(written);
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace(BAR, "\\!");
    }

    private static String plain(String escaped) {
        StringBuilder plain = new StringBuilder(escaped.length());
        for (int i = 0; i < escaped.length(); i++) {
            char c = escaped.charAt(i);
            boolean pair = c == '\\' && i + 1 < escaped.length();
            plain.append(pair ? (escaped.charAt(++i) == '!' ? '|' : escaped.charAt(i)) : c);
        }
        return plain.toString();
    }
}
