package org.azuremail.limit;

import java.time.Duration;
import java.util.Optional;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Table;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * So many mails a second to one provider, over all senders of all processes, restarts included. One row of table
 * {@code work} holds the rate and the tokens that are left, and is changed under its ETag. In any stretch of time no more
 * mails get through than the rate brings, and once one lot, one second's worth, and half a second's worth a process; tokens that were taken and not used, by a crash or a lost answer, stay lost. Safe for use from many threads.
 */
public final class RateLimit {

    private static final String PARTITION = "rate";
    private static final int ATTEMPTS = 50;
    private static final int LOST_ANSWERS = 3;
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

    private final Table table;
    private final Time time;
    private final String rowKey;
    private final int startingRate;
    private int reserve;
    private int lostAnswers;
    private @Nullable Seen seen;

    /** The row as it was read or written last; without an ETag there was none. */
    private record Seen(Bucket bucket, @Nullable String etag, Duration atElapsed) {}

    /**
     * @param provider whose limit it is
     * @param startingRate mails a second until somebody changes it; 0 means no limit
     */
    public RateLimit(Storage storage, Time time, String provider, int startingRate) {
        this.table = new Table(storage.tables(), "work");
        this.time = time;
        this.rowKey = KeyEscaper.escape(provider);
        this.startingRate = startingRate;
    }

    /**
     * Takes tokens, one a mail, all or none; does not wait.
     *
     * @param tokens at least one
     * @return zero when the mails may be handed over now; otherwise how long to wait before asking again, when nobody else
     *     asks meanwhile
     * @throws StorageException when the row is out of reach; tokens may be lost
     */
    public synchronized Duration take(int tokens) {
        if (tokens < 1) {
            throw new IllegalArgumentException("take at least one token, not " + tokens);
        }
        forgetAnOldRate();
        lostAnswers = 0;
        for (int attempt = 0; attempt < ATTEMPTS && reserve < tokens; attempt++) {
            Optional<Duration> answer = fillReserve(tokens);
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        return spend(tokens);
    }

    /**
     * How many of so many mails to hand over at once: no more than one second brings, so that they leave evenly. Takes
     * nothing.
     */
    public synchronized int atOnce(int mails) {
        forgetAnOldRate();
        Bucket bucket = (seen == null ? read() : seen).bucket();
        return bucket.unlimited() ? mails : Math.min(mails, bucket.rate());
    }

    /** Mails a second as they are now; 0 means no limit. */
    public synchronized int rate() {
        return read().bucket().rate();
    }

    /**
     * Changes the rate for all senders: at once where the limit is reached, within seconds where there was none.
     *
     * @param mailsPerSecond 0 means no limit
     */
    public synchronized void changeRate(int mailsPerSecond) {
        if (mailsPerSecond < 0) {
            throw new IllegalArgumentException("a rate is not negative");
        }
        lostAnswers = 0;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Seen before = read();
            Bucket changed = before.bucket().filled(time.instant()).withRate(mailsPerSecond);
            if (write(before, changed)) {
                reserve = 0;
                return;
            }
        }
        throw contended();
    }

    private void forgetAnOldRate() {
        if (seen != null && seen.bucket().unlimited() && isOld(seen)) {
            seen = null;
        }
    }

    private boolean isOld(Seen known) {
        return known.atElapsed().plus(LOOK_AGAIN).compareTo(time.elapsed()) <= 0;
    }

    /** @return what to answer, if the reserve need not or cannot be filled now */
    private Optional<Duration> fillReserve(int tokens) {
        boolean justRead = seen == null;
        Seen before = seen == null ? read() : seen;
        Bucket bucket = before.bucket().withLargest(tokens).filled(time.instant());
        int needed = tokens - reserve;
        if (bucket.unlimited()) {
            return Optional.of(Duration.ZERO);
        }
        if (bucket.has(needed)) {
            takeChunk(before, bucket, needed);
        } else if (!justRead) {
            seen = null;
        } else if (!bucket.mustReplace(before.bucket()) || write(before, bucket)) {
            return Optional.of(bucket.until(needed, time.instant()));
        }
        return Optional.empty();
    }

    private void takeChunk(Seen before, Bucket bucket, int needed) {
        int chunk = bucket.chunk(needed);
        if (write(before, bucket.without(chunk))) {
            reserve += chunk;
        }
    }

    private Duration spend(int tokens) {
        if (reserve < tokens) {
            throw contended();
        }
        reserve -= tokens;
        return Duration.ZERO;
    }

    private Seen read() {
        Optional<Row> row = table.get(PARTITION, rowKey);
        Bucket bucket = row.map(found -> Bucket.of(found.values()))
                .orElseGet(() -> Bucket.starting(startingRate, time.instant()));
        Seen read = new Seen(bucket, row.map(Row::etag).orElse(null), time.elapsed());
        seen = read;
        return read;
    }

    /** @return false when somebody else wrote, or nobody knows: what was read is forgotten then */
    private boolean write(Seen before, Bucket bucket) {
        String etag = before.etag();
        Write write =
                etag == null ? Write.insert(rowKey, bucket.values()) : new Write.Replace(rowKey, bucket.values(), etag);
        seen = null;
        try {
            if (table.write(PARTITION, write) instanceof WriteResult.Written written) {
                seen = new Seen(bucket, written.etag(), time.elapsed());
            }
        } catch (StorageException perhapsWritten) {
            if (++lostAnswers > LOST_ANSWERS) {
                throw perhapsWritten;
            }
        }
        return seen != null;
    }

    private StorageException contended() {
        return new StorageException(StorageException.Reason.THROTTLED, "rate " + rowKey + " is contended", null);
    }
}
