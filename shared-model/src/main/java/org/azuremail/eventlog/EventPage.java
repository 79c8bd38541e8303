package org.azuremail.eventlog;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some entries, newest first.
 *
 * @param older goes into the next call; {@code null} at the end
 */
public record EventPage(List<LoggedEvent> events, @Nullable String older) {

    public EventPage {
        events = List.copyOf(events);
    }
}
