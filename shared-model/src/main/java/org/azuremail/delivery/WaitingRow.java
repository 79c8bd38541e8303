package org.azuremail.delivery;

import java.time.Instant;
import org.azuremail.storage.Row;
import org.azuremail.storage.Write;
import org.jspecify.annotations.Nullable;

/** An e-mail row as it was read. */
public record WaitingRow(Recipient recipient, Row row) {

    public String rowKey() {
        return row.rowKey();
    }

    /** When a conversation broke at this recipient for the first time; {@code null} where none did. */
    public @Nullable Instant brokenSince() {
        return row.values().instant("BrokenSince");
    }

    /**
     * The write that makes this recipient wait.
     *
     * @param counts whether that is one try more on its record
     * @param brokenSince see {@link #brokenSince()}
     */
    public Write later(Instant notBefore, boolean counts, @Nullable Instant brokenSince) {
        return Write.replace(
                row,
                row.values().toBuilder()
                        .put("Tries", recipient.tries() + (counts ? 1 : 0))
                        .put("NotBefore", notBefore)
                        .put("BrokenSince", brokenSince)
                        .build());
    }
}
