package org.azuremail.delivery.range;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Row;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.jspecify.annotations.Nullable;

/** An email row as it was read. */
public record EmailRow(Recipient recipient, Row row) {

    private static final String SUPPRESSED = "Suppressed";
    private static final int MAX_REASON_LENGTH = 1000;

    public String rowKey() {
        return row.rowKey();
    }

    /** Returns the time when a conversation first broke at this recipient; {@code null} if none did. */
    public @Nullable Instant brokenSince() {
        return row.values().instant("BrokenSince");
    }

    /**
     * Returns the suppression that the fan-out found for the address; none for most addresses. It takes precedence over
     * later events.
     */
    public Reason suppressed() {
        String code = row.values().string(SUPPRESSED);
        return code == null ? Reason.NONE : new Reason(code, List.of());
    }

    static Values values(Values row, Optional<? extends Reason.Code> suppressed) {
        return suppressed.map(code -> row.with(SUPPRESSED, code.name())).orElse(row);
    }

    /**
     * Returns the write that makes this recipient wait.
     *
     * @param delay the earliest time, and the reason; none if the provider asked for the delay without giving one
     * @param counts whether it counts as one more try of the recipient
     * @param brokenSince see {@link #brokenSince()}
     */
    public Write postponed(Range.Delay delay, boolean counts, @Nullable Instant brokenSince) {
        return Write.replace(
                row,
                row.values().toBuilder()
                        .put("Tries", recipient.tries() + (counts ? 1 : 0))
                        .put("NotBefore", delay.notBefore())
                        .put(
                                "Note",
                                delay.reason().none() ? null : delay.reason().stored(MAX_REASON_LENGTH))
                        .put("BrokenSince", brokenSince)
                        .build());
    }
}
