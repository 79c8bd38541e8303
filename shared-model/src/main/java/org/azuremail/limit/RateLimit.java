package org.azuremail.limit;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Table;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * The limit of emails a second, minute, hour and day to one provider, across all senders of all processes and across
 * restarts. One row of table {@code work} has the limits and the tokens that are left, and is changed under its ETag.
 *
 * <p>In any time, no more emails pass than the tokens of that time plus, once, one lot, the tokens of one second, and
 * those of half a second for each process and share. In any minute, hour or day no more pass than its limit, by the
 * latest clock of the processes: a clock that is ahead by a second ends each period a second early, once. Used tokens
 * return at most a sixtieth of the period late. Tokens that were taken and not used, because of a crash or a lost
 * answer, stay lost. Safe for use from many threads.
 */
public final class RateLimit implements TokenSource {

    private static final String TABLE = "work";
    private static final String PARTITION = "rate";

    /** The prefix of the names of lists. It cannot clash with a transport, because no transport's name has a dot. */
    private static final String OF_A_LIST = "list.";

    private static final int WHOLE = 100;
    private static final Duration REFRESH_INTERVAL = Duration.ofSeconds(5);

    private final Table table;
    private final Time time;
    private final String provider;
    private final String rowKey;
    private final Limits starting;

    /**
     * Tokens that were taken and not used yet, by the percentage of their share. A smaller share never spends the
     * tokens of a larger one.
     */
    private final Map<Integer, Integer> reserves = new HashMap<>();

    private final Map<Integer, Starvation> starvations = new HashMap<>();
    private @Nullable Seen seen;

    /** Limits that are stored elsewhere and override those of the row. */
    private @Nullable Limits overridingLimits;

    /** The row as it was last read or written. The ETag is {@code null} if there was no row. */
    private record Seen(Quota quota, @Nullable String etag, Duration atElapsed) {}

    /** @param starting the limits until an admin changes them */
    public RateLimit(Storage storage, Time time, String provider, Limits starting) {
        this.table = new Table(storage.tables(), TABLE);
        this.time = time;
        this.provider = provider;
        this.rowKey = KeyEscaper.escape(provider);
        this.starting = starting;
    }

    /** Returns the limits of a list. It has none before the first {@link #overrideLimits}. */
    public static RateLimit ofList(Storage storage, Time time, String list) {
        return new RateLimit(storage, time, OF_A_LIST + list, Limits.NONE);
    }

    /** Sets the limits for the tokens that this process takes from now on. Earlier emails still count. */
    public synchronized void overrideLimits(Limits limits) {
        if (!limits.equals(overridingLimits)) {
            overridingLimits = limits;
            seen = null;
        }
    }

    /**
     * Takes a token for each email, all or none, without waiting.
     *
     * @param tokens at least one, and never more than a minute, hour or day allows; {@link #maxAtOnce} returns how many
     * @return zero if the emails may be handed over now, which must be done immediately; otherwise how long to wait
     *     before asking again, if no other caller asks meanwhile
     * @throws StorageException if the row is out of reach; tokens may be lost
     */
    @Override
    public RateLimitWait take(int tokens) {
        return take(tokens, WHOLE, UnaryOperator.identity());
    }

    /** @param share returns the part of the quota that may be taken */
    private synchronized RateLimitWait take(int tokens, int percent, UnaryOperator<Quota> share) {
        Assert.isTrue(tokens >= 1, () -> "take at least one token, not " + tokens);
        forgetOldRate();
        return ConditionalWrites.retryIdempotent(
                "rate " + rowKey,
                () -> reserve(percent) < tokens ? fillReserve(tokens, percent, share) : spend(tokens, percent));
    }

    private synchronized RateLimitWait take(int tokens, MessageShare share) {
        if (share.whole()) {
            return take(tokens, WHOLE, quota -> quota.forMessages(WHOLE, 0));
        }
        Starvation starvation = starvations.computeIfAbsent(share.percent(), unseen -> new Starvation());
        int kept = starvation.lasts(share.ageing(), time.elapsed()) ? 0 : WHOLE - share.percent();
        RateLimitWait wait = take(tokens, share.percent(), quota -> quota.forMessages(share.percent(), kept));
        if (wait.isZero()) {
            starvation.reset();
        } else {
            starvation.requestFailed(share.ageing(), time.elapsed());
        }
        return wait;
    }

    /**
     * Returns how many of these emails to hand over at once: no more than the tokens of one second, so that they leave
     * evenly, and no more than are left of the minute, hour and day. Takes no tokens. The result is at least 1.
     */
    @Override
    public int maxAtOnce(int mails) {
        return atOnce(mails, UnaryOperator.identity());
    }

    private synchronized int atOnce(int mails, UnaryOperator<Quota> share) {
        forgetOldRate();
        Quota quota = (seen == null ? read() : seen).quota();
        return share.apply(quota.filled(time.instant())).maxAtOnce(mails);
    }

    /**
     * Returns the same limits for messages. They leave a twentieth of each minute, hour and day to confirmations and
     * test emails, but nothing if the limit is below 20. A class with a share leaves more, including a part of each
     * second's tokens.
     */
    @Override
    public TokenSource forMessages(MessageShare share) {
        return new TokenSource() {
            @Override
            public RateLimitWait take(int mails) {
                return RateLimit.this.take(mails, share);
            }

            @Override
            public int maxAtOnce(int mails) {
                return RateLimit.this.atOnce(mails, quota -> quota.forMessages(share.percent(), 0));
            }
        };
    }

    /**
     * Gives unused tokens of the minute, hour and day back. They stay lost if it is unknown in which slot they count.
     */
    public synchronized void giveBack(int tokens, Instant takenAt) {
        ConditionalWrites.retryIdempotentUntilDone("rate " + rowKey, () -> {
            Seen before = seen == null ? read() : seen;
            return write(before, before.quota().givenBack(tokens, takenAt));
        });
    }

    /**
     * Returns the tokens that are left as far as this process knows: those that it holds and those that it saw last.
     * Reads nothing.
     */
    public synchronized int knownRemaining() {
        return reserves.values().stream().mapToInt(Integer::intValue).sum()
                + (seen == null ? 0 : seen.quota().filled(time.instant()).inBucket());
    }

    public synchronized Limits limits() {
        return read().quota().limits();
    }

    /**
     * Changes the limits for all senders: immediately if a limit is reached, within seconds if there was none. A
     * minute, hour or day that had a limit keeps its past emails; a new one begins without any.
     */
    public void change(Limits limits) {
        change(null, limits);
    }

    /**
     * Does the same as {@link #change(Limits)}, unless the limits differ from those that the admin saw.
     *
     * @param shown the limits that the admin saw; {@code null} for any
     * @return false if other limits apply, and nothing is changed
     */
    public synchronized boolean change(@Nullable Limits shown, Limits limits) {
        boolean changed = ConditionalWrites.retryIdempotent("rate " + rowKey, () -> {
            Seen before = read();
            Limits now = before.quota().limits();
            if (shown != null && !now.equals(shown) && !now.equals(limits)) {
                return Optional.of(false);
            }
            return write(before, before.quota().filled(time.instant()).withLimits(limits))
                    ? Optional.of(true)
                    : Optional.empty();
        });
        reserves.clear();
        return changed;
    }

    /** Deletes the row of an unused limit, if there is one. */
    public static void forget(TableStore tables, String provider) {
        new Table(tables, TABLE).write(PARTITION, Write.delete(KeyEscaper.escape(provider)));
    }

    /**
     * Deletes the row of a limit, unless the name belongs to another provider by now, which may have limits of its own.
     */
    public static void forget(TableStore tables, String provider, BooleanSupplier inUse) {
        Table table = new Table(tables, TABLE);
        table.get(PARTITION, KeyEscaper.escape(provider))
                .filter(limits -> !inUse.getAsBoolean())
                .ifPresent(limits -> table.write(PARTITION, Write.delete(limits)));
    }

    /** Deletes the row of the limits of a deleted list, unless its name is in use. */
    public static void forgetList(TableStore tables, String list, BooleanSupplier inUse) {
        forget(tables, OF_A_LIST + list, inUse);
    }

    private void forgetOldRate() {
        if (seen != null
                && seen.quota().unlimited()
                && seen.atElapsed().plus(REFRESH_INTERVAL).compareTo(time.elapsed()) <= 0) {
            seen = null;
        }
    }

    /** @return the answer, if the reserve does not have to be filled or cannot be filled now */
    private Optional<RateLimitWait> fillReserve(int tokens, int percent, UnaryOperator<Quota> share) {
        boolean justRead = seen == null;
        Seen before = seen == null ? read() : seen;
        Quota quota = before.quota().withLargest(tokens).filled(time.instant());
        if (quota.unlimited()) {
            return Optional.of(RateLimitWait.NONE);
        }
        if (quota.hasWindows()) {
            reserves.clear();
        }
        int needed = tokens - reserve(percent);
        if (share.apply(quota).has(needed)) {
            int chunk = share.apply(quota).chunk(needed);
            if (write(before, quota.without(chunk))) {
                reserves.merge(percent, chunk, Integer::sum);
            }
        } else if (!justRead) {
            seen = null;
        } else if (!quota.mustReplace(before.quota()) || write(before, quota)) {
            return Optional.of(share.apply(quota).until(needed, time.instant(), provider));
        }
        return Optional.empty();
    }

    private int reserve(int percent) {
        return reserves.getOrDefault(percent, 0);
    }

    private Optional<RateLimitWait> spend(int tokens, int percent) {
        reserves.merge(percent, -tokens, Integer::sum);
        return Optional.of(RateLimitWait.NONE);
    }

    private Seen read() {
        Optional<Row> row = table.get(PARTITION, rowKey);
        Quota quota =
                row.map(found -> Quota.of(found.values())).orElseGet(() -> Quota.starting(starting, time.instant()));
        Seen read = new Seen(
                overridingLimits == null ? quota : quota.withLimits(overridingLimits),
                row.map(Row::etag).orElse(null),
                time.elapsed());
        seen = read;
        return read;
    }

    /** @return false if another process wrote, or if the answer was lost; the last read is then forgotten */
    private boolean write(Seen before, Quota quota) {
        Write write = Write.put(before.etag(), rowKey, quota.values());
        seen = null;
        if (table.write(PARTITION, write) instanceof WriteResult.Written written) {
            seen = new Seen(quota, written.etag(), time.elapsed());
        }
        return seen != null;
    }
}
