package org.azuremail.outbox;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some mails, newest first.
 *
 * @param continuation goes into the next call; {@code null} at the end
 */
public record OutboxPage(
        List<OutboxEntry> entries, @Nullable String continuation) {

    public OutboxPage {
        entries = List.copyOf(entries);
    }
}
