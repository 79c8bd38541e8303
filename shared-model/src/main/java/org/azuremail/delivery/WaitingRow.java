package org.azuremail.delivery;

import java.time.Instant;
import org.azuremail.storage.Row;
import org.azuremail.storage.Write;

/** An e-mail row as it was read. */
public record WaitingRow(Recipient recipient, Row row) {

    public String rowKey() {
        return row.rowKey();
    }

    /** The write that makes this recipient wait, one try more on its record. */
    public Write later(Instant notBefore) {
        return Write.replace(
                row,
                row.values().toBuilder()
                        .put("Tries", recipient.tries() + 1)
                        .put("NotBefore", notBefore)
                        .build());
    }
}
