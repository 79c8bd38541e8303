package org.azuremail.greeting;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.azuremail.list.ListStore;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.reason.Reason;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Saved;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.subscription.store.ServiceChoreIndex;
import org.azuremail.time.Time;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.signal.Signals;

/**
 * The greetings: rows {@code .all}/{@code <id>} of the table {@code greeting}, and in the partition {@code <id>} a row
 * for each day on which the greeting was sent. Every change is written under the ETag that was read. Safe for use from
 * many threads and processes.
 */
public final class Greetings {

    public static final String TABLE = "greeting";

    /** The most greetings, because the service reads all of them every few minutes. */
    public static final int MAX = 200;

    public static final String SERVICE = "greetings";

    private static final String ALL = ".all";

    /** The number of days of a greeting's history to keep. */
    private static final int RETENTION_DAYS = 400;

    private final TableStore tables;
    private final ServiceChoreIndex chores;
    private final Signals signals;
    private final ZoneId zone;
    private final Time time;

    public Greetings(TableStore tables, Signals signals, ZoneId zone, Time time) {
        this.tables = tables;
        this.chores = new ServiceChoreIndex(tables);
        this.signals = signals;
        this.zone = zone;
        this.time = time;
        tables.createTable(TABLE);
    }

    public List<Versioned<Greeting>> all() {
        return Rows.all(tables, TABLE, KeyRange.partition(ALL)).stream()
                .map(row -> new Versioned<>(Greeting.of(row.rowKey(), row.values()), row.etag()))
                .toList();
    }

    public Optional<Versioned<Greeting>> find(String id) {
        return tables.get(TABLE, ALL, id).map(row -> new Versioned<>(Greeting.of(id, row.values()), row.etag()));
    }

    /** Returns the first day of a greeting that is created now: today, or tomorrow if today's time is over. */
    public LocalDate firstDay(LocalTime at) {
        Instant now = time.instant();
        LocalDate today = LocalDate.ofInstant(now, zone);
        return today.atTime(at).atZone(zone).toInstant().isBefore(now) ? today.plusDays(1) : today;
    }

    /** Returns the next time at which a greeting is sent; empty while it is paused. */
    public Optional<Instant> next(Greeting greeting) {
        LocalDate day = greeting.lastDue(time.instant(), zone).plusDays(1);
        LocalDate first = day.isBefore(greeting.since()) ? greeting.since() : day;
        return greeting.paused() ? Optional.empty() : Optional.of(greeting.at(first, zone));
    }

    /** Stores a new greeting; {@code Conflict} if one with this id exists. */
    public Saved<Greeting> create(Greeting greeting) {
        chores.announce(SERVICE, time.instant());
        Saved<Greeting> saved = ConditionalWrites.insert(
                tables, TABLE, key(greeting.id()), greeting.values(), v -> Greeting.of(greeting.id(), v));
        signals.runSoon(SERVICE);
        return saved;
    }

    /** Changes a greeting if it still has the ETag. */
    public Saved<Greeting> change(Versioned<Greeting> read, UnaryOperator<Greeting> change) {
        Greeting changed = change.apply(read.value());
        if (!changed.paused()) {
            chores.announce(SERVICE, time.instant());
        }
        Saved<Greeting> saved = ConditionalWrites.replace(
                tables, TABLE, key(changed.id()), changed.values(), read.etag(), v -> Greeting.of(changed.id(), v));
        signals.runSoon(SERVICE);
        return saved;
    }

    /** Resumes a greeting from today, or from tomorrow if today's time is over. */
    public Saved<Greeting> resume(Versioned<Greeting> read) {
        return change(read, greeting -> greeting.resumed(firstDay(greeting.time()), time.instant()));
    }

    /**
     * Handles a restored backup: no greeting is sent for a day whose time has passed, because it may have been sent
     * since the backup was made. Repeatable.
     *
     * @param noticedAt when the restore was noticed
     */
    public void skipDaysBefore(Instant noticedAt) {
        for (Versioned<Greeting> greeting : all()) {
            String id = greeting.value().id();
            ConditionalWrites.retryUntilDone("greeting " + id, () -> find(id).map(read -> skipped(read, noticedAt))
                    .orElse(true));
        }
    }

    private boolean skipped(Versioned<Greeting> read, Instant noticedAt) {
        Greeting before = read.value();
        Greeting after = before.notBefore(before.lastDue(noticedAt, zone).plusDays(1));
        return after.equals(before)
                || tables.write(TABLE, ALL, new Write.Replace(before.id(), after.values(), read.etag()))
                        .written();
    }

    /**
     * Deletes a greeting: no further message is created, but those that are being sent continue. The marks of people
     * who were greeted remain.
     */
    public void delete(String id) {
        tables.write(TABLE, ALL, Write.delete(id));
        Rows.deleteAll(tables, TABLE, KeyRange.partition(id));
    }

    /** Returns the service that sends greetings; one role runs it. */
    public ScheduledService service(Messages messages, ListStore lists) {
        return new GreetingService(this, messages, lists, zone, time);
    }

    /** Returns the latest days on which a greeting was sent, newest first. */
    public List<GreetingRun> runs(String id, int max) {
        Page<Row> page = Rows.first(tables, TABLE, KeyRange.partition(id), max, null);
        return page.items().stream().map(row -> GreetingRun.of(row.values())).toList();
    }

    /**
     * Begins a day, unless another process has begun it.
     *
     * @return the day as it is stored now
     */
    GreetingRun begin(String id, GreetingRun run) {
        String key = GreetingRun.key(run.day());
        Saved<GreetingRun> saved =
                ConditionalWrites.insert(tables, TABLE, new Key(id, key), run.values(), GreetingRun::of);
        Rows.deleteAll(
                tables, TABLE, KeyRange.rows(id, GreetingRun.key(run.day().minusDays(RETENTION_DAYS)), null));
        return saved instanceof Saved.Conflict<GreetingRun> conflict
                ? conflict.current().value()
                : run;
    }

    /** Records that the day's message was created or cannot be created, unless another process has recorded it. */
    void end(String id, GreetingRun run) {
        tables.get(TABLE, id, GreetingRun.key(run.day()))
                .filter(row -> !GreetingRun.of(row.values()).done())
                .ifPresent(row -> tables.write(TABLE, id, Write.replace(row, run.values())));
    }

    /** Deletes a day whose message is not needed. */
    void drop(String id, GreetingRun run) {
        tables.get(TABLE, id, GreetingRun.key(run.day()))
                .filter(row -> GreetingRun.of(row.values()).equals(run))
                .ifPresent(row -> tables.write(TABLE, id, Write.delete(row)));
    }

    ServiceChoreIndex chores() {
        return chores;
    }

    private static Key key(String id) {
        return new Key(ALL, id);
    }

    /**
     * A day of a greeting. Its row is written before its message, so there is only one message a day.
     *
     * @param from the first of the days for which people are greeted; {@code day} is the last
     * @param done whether the message was created or cannot be created
     * @param reason why it cannot be created; none otherwise
     */
    public record GreetingRun(LocalDate day, LocalDate from, MessageRef message, boolean done, Reason reason) {

        private static final int DAY_KEY_BASE = 100_000_000;

        /** Returns the key of a day; the newest day sorts first. */
        static String key(LocalDate day) {
            int number = Integer.parseInt(day.format(DateTimeFormatter.BASIC_ISO_DATE));
            return String.format(Locale.ROOT, "%08d", DAY_KEY_BASE - number);
        }

        static GreetingRun of(Values v) {
            return new GreetingRun(
                    LocalDate.parse(v.requireString("Day")),
                    LocalDate.parse(v.requireString("From")),
                    new MessageRef(v.requireNumber("MessageRef")),
                    v.bool("Done", false),
                    Reason.read(v.string("Reason")));
        }

        GreetingRun ended(Reason why) {
            return new GreetingRun(day, from, message, true, why);
        }

        Values values() {
            return Values.builder()
                    .put("Day", day.toString())
                    .put("From", from.toString())
                    .put("MessageRef", message.value())
                    .put("Done", done)
                    .put("Reason", reason.stored())
                    .build();
        }
    }
}
