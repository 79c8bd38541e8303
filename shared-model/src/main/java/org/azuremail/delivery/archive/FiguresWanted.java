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
 * Messages whose outcomes are to be counted by reason, domain and time: rows {@code .figures}/{@code <MessageRef>} of the
 * archive, written before the service {@value #SERVICE} is told, and removed by it, as they were read, when it has counted.
 * Asking twice counts once or twice, which is the same.
 */
public final class FiguresWanted {

    /** The scheduled service that counts. */
    public static final String SERVICE = "message-figures";

    private static final String PARTITION = ".figures";

    /** While a message goes out it is counted again after it has grown by this part: five walks in all, however long it takes. */
    private static final int GROWTH = 4;

    private final TableStore tables;
    private final Signals signals;
    private final Time time;
    private final Map<MessageRef, Long> asked = new ConcurrentHashMap<>();

    public FiguresWanted(TableStore tables, Signals signals, Time time) {
        this.tables = tables;
        this.signals = signals;
        this.time = time;
        tables.createTable(ARCHIVE);
    }

    /** Outcomes of a message have changed, or are complete. One storage call. */
    public void ask(MessageRef ref) {
        asked.remove(ref);
        tables.write(ARCHIVE, PARTITION, Write.upsert(ref.padded(), Values.of("AskedAt", time.instant())));
        signals.runSoon(SERVICE);
    }

    /** The same for a message that goes out, only when it is worth it; this process remembers when it asked. */
    public void grown(MessageRef ref, long outcomes) {
        long before = asked.getOrDefault(ref, 0L);
        if (outcomes > before + before / GROWTH) {
            ask(ref);
            asked.put(ref, outcomes);
        }
    }

    /** Nobody counts as long as nobody is told. */
    public void remind() {
        signals.runSoon(SERVICE);
    }

    /** All requests for a count. */
    public List<Row> all() {
        return Rows.all(tables, ARCHIVE, KeyRange.partition(PARTITION));
    }

    /** It is counted; unless somebody asked again meanwhile. */
    public void done(Row wanted) {
        tables.write(ARCHIVE, PARTITION, Write.delete(wanted));
    }

    /** The message that a row is about. */
    public static MessageRef message(Row wanted) {
        return new MessageRef(Long.parseLong(wanted.rowKey()));
    }
}
