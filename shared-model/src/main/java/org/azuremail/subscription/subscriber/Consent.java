package org.azuremail.subscription.subscriber;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.azuremail.storage.Values;

/**
 * A subscriber's declarations in order of time: the proof of consent and of its withdrawal. It keeps the stored text
 * and parses it only on demand, since a fan-out reads a million of them.
 *
 * @param json empty, or a JSON array
 */
public record Consent(String json) {

    static final Consent NONE = new Consent("");

    /** Enough for years; older declarations are dropped. */
    static final int MAX_DECLARATIONS = 50;

    /** The largest proof that fits one property of a row. */
    private static final int MAX_CHARS = Values.MAX_STRING_LENGTH - 1024;

    public static Consent of(Declaration... declarations) {
        return new Consent(ColumnJson.write(List.of(declarations)));
    }

    public List<Declaration> declarations() {
        return json.isEmpty() ? List.of() : ColumnJson.declarations(json);
    }

    public Optional<Declaration> latest(Declaration.Kind kind) {
        return declarations().stream().filter(entry -> entry.kind() == kind).max(Comparator.comparing(Declaration::at));
    }

    public Consent plus(Declaration declaration) {
        String last = ColumnJson.write(declaration);
        return hasRoomFor(last) ? appended(last) : dropOldest(declaration);
    }

    /**
     * Returns whether another declaration fits. This is an estimate without parsing: each declaration has at least one
     * brace.
     */
    private boolean hasRoomFor(String last) {
        return (json.isEmpty() || json.endsWith("}]"))
                && json.length() + last.length() < MAX_CHARS
                && json.chars().filter(c -> c == '{').count() < MAX_DECLARATIONS;
    }

    private Consent appended(String last) {
        return new Consent(json.isEmpty() ? "[" + last + "]" : json.substring(0, json.length() - 1) + "," + last + "]");
    }

    /** Returns whether this version of the service has added the declaration already. */
    public boolean has(Declaration declaration) {
        return json.contains(ColumnJson.write(declaration));
    }

    private Consent dropOldest(Declaration declaration) {
        List<Declaration> all = new ArrayList<>(declarations());
        all.add(declaration);
        int surplus = Math.max(0, all.size() - MAX_DECLARATIONS);
        String json = ColumnJson.write(all.subList(surplus, all.size()));
        while (json.length() > MAX_CHARS) {
            json = ColumnJson.write(all.subList(++surplus, all.size()));
        }
        return new Consent(json);
    }

    public long countSince(Collection<Declaration.Kind> kinds, Instant now, Duration window) {
        Instant from = now.minus(window);
        return declarations().stream()
                .filter(entry -> kinds.contains(entry.kind()) && entry.at().isAfter(from))
                .count();
    }
}
