package org.azuremail.greeting;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.azuremail.list.ListStore;
import org.azuremail.message.Messages;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.RowPage;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Saved;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.subscription.store.Chores;
import org.azuremail.subscription.store.Removal;
import org.azuremail.time.Time;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.signal.Signals;

/**
 * The greetings: rows {@code .all}/{@code <id>} of the table {@code greeting}, and under {@code <id>} a row for each day on
 * which one was sent. Every change is written under the ETag that was read. Safe for use from many threads and processes.
 */
public final class Greetings {

    public static final String TABLE = "greeting";

    /** They are read at once, and each is looked at every few minutes. */
    public static final int MOST = 200;

    /** The scheduled service that sends them. */
    public static final String SERVICE = "greetings";

    private static final String ALL = ".all";

    /** For so many days it is known what was sent. */
    private static final int KEPT_DAYS = 400;

    private final TableStore tables;
    private final Chores chores;
    private final Signals signals;
    private final ZoneId zone;
    private final Time time;

    public Greetings(TableStore tables, Signals signals, ZoneId zone, Time time) {
        this.tables = tables;
        this.chores = new Chores(tables);
        this.signals = signals;
        this.zone = zone;
        this.time = time;
        tables.createTable(TABLE);
    }

    /** In order of creation. */
    public List<Versioned<Greeting>> all() {
        return Rows.all(tables, TABLE, KeyRange.partition(ALL)).stream()
                .map(row -> new Versioned<>(Greeting.of(row.rowKey(), row.values()), row.etag()))
                .toList();
    }

    public Optional<Versioned<Greeting>> find(String id) {
        return tables.get(TABLE, ALL, id).map(row -> new Versioned<>(Greeting.of(id, row.values()), row.etag()));
    }

    /** The day from which a greeting counts that is created now: today, unless its time is over. */
    public LocalDate begins(LocalTime at) {
        Instant now = time.instant();
        LocalDate today = LocalDate.ofInstant(now, zone);
        return today.atTime(at).atZone(zone).toInstant().isBefore(now) ? today.plusDays(1) : today;
    }

    /** The next moment at which it is sent; empty while it is paused. */
    public Optional<Instant> next(Greeting greeting) {
        LocalDate day = greeting.lastDue(time.instant(), zone).plusDays(1);
        LocalDate first = day.isBefore(greeting.since()) ? greeting.since() : day;
        return greeting.paused() ? Optional.empty() : Optional.of(greeting.at(first, zone));
    }

    /** Stores a new one; {@code Conflict} when there is one with this id. */
    public Saved<Greeting> create(Greeting greeting) {
        chores.announce(SERVICE, time.instant());
        Saved<Greeting> saved = ConditionalWrites.insert(
                tables, TABLE, key(greeting.id()), greeting.values(), v -> Greeting.of(greeting.id(), v));
        signals.runSoon(SERVICE);
        return saved;
    }

    /** Changes one that must still be at the ETag. */
    public Saved<Greeting> change(Versioned<Greeting> read, UnaryOperator<Greeting> how) {
        Greeting changed = how.apply(read.value());
        if (!changed.paused()) {
            chores.announce(SERVICE, time.instant());
        }
        Saved<Greeting> saved = ConditionalWrites.replace(
                tables, TABLE, key(changed.id()), changed.values(), read.etag(), v -> Greeting.of(changed.id(), v));
        signals.runSoon(SERVICE);
        return saved;
    }

    /** Goes on from today; of a day whose time is over nobody is greeted. */
    public Saved<Greeting> resume(Versioned<Greeting> read) {
        return change(read, greeting -> greeting.resumed(begins(greeting.time())));
    }

    /**
     * Nothing of it is sent after this; what is on its way stays on its way. The marks of those who were greeted stay with
     * them.
     */
    public void delete(String id) {
        tables.write(TABLE, ALL, Write.delete(id));
        Removal.all(tables, TABLE, KeyRange.partition(id), id);
    }

    /** Sends them; one role runs it. */
    public ScheduledService service(Messages messages, ListStore lists) {
        return new GreetingService(this, messages, lists, zone, time);
    }

    /** The latest days on which it was sent, newest first. */
    public List<GreetingRun> runs(String id, int most) {
        RowPage page = Rows.first(tables, TABLE, KeyRange.partition(id), most, null);
        return page.rows().stream().map(GreetingRun::of).toList();
    }

    /**
     * Begins a day, unless somebody has begun it.
     *
     * @return the day as it stands now
     */
    GreetingRun begin(String id, GreetingRun run) {
        String key = GreetingRun.key(run.day());
        Saved<GreetingRun> saved =
                ConditionalWrites.insert(tables, TABLE, new Key(id, key), run.values(), GreetingRun::of);
        Removal.all(tables, TABLE, KeyRange.rows(id, GreetingRun.key(run.day().minusDays(KEPT_DAYS)), null), id);
        return saved instanceof Saved.Conflict<GreetingRun> conflict
                ? conflict.current().value()
                : run;
    }

    /** The day's message was created, or cannot be. */
    void end(String id, GreetingRun run) {
        String key = GreetingRun.key(run.day());
        tables.get(TABLE, id, key).ifPresent(row -> tables.write(TABLE, id, Write.replace(row, run.values())));
    }

    /** To be read before the greetings are. */
    Optional<Row> chore() {
        return chores.of(SERVICE);
    }

    void nothingToDo(Row chore) {
        chores.done(chore, time.instant());
    }

    private static Key key(String id) {
        return new Key(ALL, id);
    }
}
