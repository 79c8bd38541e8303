package org.azuremail.eventlog;

import java.util.Locale;
import java.util.Optional;

/** The severity of an event, mildest first. */
public enum EventLevel {
    /** Worth knowing. */
    INFO,
    /** Mended by itself, or soon to be. */
    WARNING,
    /** Somebody should look. */
    ERROR;

    /** As it is in an entry's name. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @return empty when there is no such level */
    public static Optional<EventLevel> parse(String word) {
        for (EventLevel level : values()) {
            if (level.word().equals(word.toLowerCase(Locale.ROOT))) {
                return Optional.of(level);
            }
        }
        return Optional.empty();
    }
}
