package org.azuremail.delivery.archive;

import static org.azuremail.message.MessageStore.ARCHIVE;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.azuremail.message.MessageRef;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;
import org.azuremail.work.signal.Signals;

/**
 * Messages whose outcomes are to be counted by reason, domain and time: rows {@code .figures}/{@code <MessageRef>} of
 * the archive. A row is written before the service {@value #SERVICE} is signalled. The service deletes the row under
 * the ETag that it read, after the count. A repeated request does no harm.
 */
public final class FigureRequests {

    public static final String SERVICE = "message-figures";

    private static final String PARTITION = ".figures";

    /**
     * During sending, a message is counted again when its outcomes have grown by one part in this many: about five
     * walks in all.
     */
    private static final int GROWTH = 4;

    private final TableStore tables;
    private final Signals signals;
    private final Time time;
    private final Map<MessageRef, Long> asked = new ConcurrentHashMap<>();

    public FigureRequests(TableStore tables, Signals signals, Time time) {
        this.tables = tables;
        this.signals = signals;
        this.time = time;
        tables.createTable(ARCHIVE);
    }

    /** Requests a count, because outcomes of a message have changed or are complete. One storage call. */
    public void request(MessageRef ref) {
        asked.remove(ref);
        tables.write(ARCHIVE, PARTITION, Write.upsert(ref.padded(), Values.of("AskedAt", time.instant())));
        signals.runSoon(SERVICE);
    }

    /** Requests a count during sending, but only when it is worthwhile; this process remembers its last request. */
    public void requestIfGrown(MessageRef ref, long outcomes) {
        long before = asked.getOrDefault(ref, 0L);
        if (outcomes > before + before / GROWTH) {
            request(ref);
            asked.put(ref, outcomes);
        }
    }

    /** Signals the service again, because it only counts after a signal. */
    public void remind() {
        signals.runSoon(SERVICE);
    }

    public List<Row> all() {
        return Rows.all(tables, ARCHIVE, KeyRange.partition(PARTITION));
    }

    /** Deletes a request, unless it was repeated meanwhile. */
    public void done(Row wanted) {
        tables.write(ARCHIVE, PARTITION, Write.delete(wanted));
    }

    public static MessageRef message(Row wanted) {
        return new MessageRef(Long.parseLong(wanted.rowKey()));
    }
}
