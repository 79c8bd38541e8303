package org.azuremail.template;

import java.time.Instant;
import java.util.Objects;
import org.azuremail.storage.Values;

/**
 * A list's own copy of a template.
 *
 * @param shared the version of the shared template when it was copied or last saved
 * @param changedBy the admin, or the key of a program
 */
public record OwnTemplate(String text, String shared, String changedBy, Instant changedAt) {

    Values values() {
        return Values.builder()
                .put("Text", text)
                .put("Shared", shared)
                .put("ChangedBy", changedBy)
                .put("ChangedAt", changedAt)
                .build();
    }

    static OwnTemplate of(Values values) {
        return new OwnTemplate(
                values.requireString("Text"),
                values.string("Shared", ""),
                values.string("ChangedBy", ""),
                Objects.requireNonNullElse(values.instant("ChangedAt"), Instant.EPOCH));
    }
}
