package org.azuremail.attention;

import java.util.Optional;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Stores what admins have been told: one row of table {@code work}, changed under its ETag only. Safe for use from many
 * processes.
 */
public final class ToldStore {

    private static final Logger log = LoggerFactory.getLogger(ToldStore.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String PARTITION = "attention";
    private static final String ROW = "told";
    private static final String KINDS = "Kinds";

    private final Table table;

    public ToldStore(Storage storage) {
        this.table = new Table(storage.tables(), "work");
    }

    /** As it was read, for a change. */
    public record Known(Told told, @Nullable Row row) {}

    public Known read() {
        return table.get(PARTITION, ROW).map(row -> new Known(toldOf(row), row)).orElse(new Known(Told.NOTHING, null));
    }

    /**
     * Takes the place of what was read.
     *
     * @return false when another process was faster, or when the answer of our own write was lost
     */
    public boolean write(Known before, Told told) {
        Values values = Values.of(KINDS, JSON.writeValueAsString(told));
        return table.write(PARTITION, Write.put(Optional.ofNullable(before.row()), ROW, values))
                .written();
    }

    /** A row of another version is worth no more than a line in the log: at worst, admins are told again. */
    private static Told toldOf(Row row) {
        try {
            return JSON.readValue(row.values().requireString(KINDS), Told.class);
        } catch (JacksonException unreadable) {
            log.warn("what admins have been told of is not readable and begins anew", unreadable);
            return Told.NOTHING;
        }
    }
}
