package org.azuremail.template;

import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Saved;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * The templates of lists: the shared ones, unless a list has a copy of its own in the row {@code <list>}/{@code <file>} of the
 * table {@code template}. For subscribers, this process looks at the rows of a list at most every {@link #FRESH}; so another
 * process shows a change that much later, and all templates of one page or email are of one moment. A copy that is refused by
 * this version of the product counts as none. Safe for use from many threads and processes.
 */
public final class Templates {

    public static final String TABLE = "template";

    /** The greatest age of what subscribers see. */
    public static final Duration FRESH = Duration.ofSeconds(5);

    /** The number of lists that are remembered. With all templates at their longest, one takes some 200 KB. */
    private static final int MOST_LISTS = 100;

    private final SharedTemplates shared;
    private final TableStore tables;
    private final Time time;

    /** The number of changes made here: what was read before one of them must not hide it. */
    private long ownChanges;

    private final Map<ListName, Known> known = new LinkedHashMap<>(MOST_LISTS, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ListName, Known> eldest) {
            return size() > MOST_LISTS;
        }
    };

    /** Templates of one moment. */
    @FunctionalInterface
    public interface Chosen {
        CompiledTemplate get(TemplateName name);
    }

    /** A list's copies as they were read; those that are refused are empty. */
    private record Known(Duration readAt, Map<TemplateName, Compiled> copies) {}

    private record Compiled(String etag, Optional<CompiledTemplate> template) {}

    /** The states of a list's template. */
    public enum State {
        SHARED,
        CUSTOMISED,
        /** Customised, and the shared one has changed since. */
        OUTDATED,
        /** Customised and refused: subscribers get the shared one. */
        BROKEN
    }

    /**
     * A template of a list.
     *
     * @param own its copy; {@code null} when it shares
     * @param fault why the copy is refused, if it is
     */
    public record Entry(
            TemplateName name,
            SharedTemplates.Shared shared,
            @Nullable Versioned<OwnTemplate> own,
            @Nullable TemplateFault fault) {

        public State state() {
            if (own == null) {
                return State.SHARED;
            }
            if (fault != null) {
                return State.BROKEN;
            }
            return own.value().shared().equals(shared.version()) ? State.CUSTOMISED : State.OUTDATED;
        }

        public String text() {
            return own == null ? shared.text() : own.value().text();
        }

        /** Changes with the copy; the same in all processes, which may read different shared templates. */
        public String etag() {
            return own == null ? "shared" : own.etag();
        }
    }

    /** The result of a change. */
    public sealed interface Saving {
        record Done(Entry entry) implements Saving {}

        /** Somebody else was first; nothing changed. */
        record Conflict(Entry current) implements Saving {}

        record Refused(TemplateFault fault) implements Saving {}
    }

    public Templates(SharedTemplates shared, TableStore tables, Time time) {
        this.shared = shared;
        this.tables = tables;
        this.time = time;
        tables.createTable(TABLE);
    }

    /** The template that subscribers of a list see; without a list, the one that all see. */
    public Chosen of(@Nullable ListName list) {
        Map<TemplateName, SharedTemplates.Shared> all = shared.all();
        Map<TemplateName, Compiled> copies = list == null ? Map.of() : copies(list);
        return name -> Optional.ofNullable(copies.get(name))
                .flatMap(Compiled::template)
                .orElseGet(() -> Objects.requireNonNull(all.get(name)).compiled());
    }

    private Map<TemplateName, Compiled> copies(ListName list) {
        Known before;
        long changes;
        synchronized (known) {
            before = known.get(list);
            changes = ownChanges;
        }
        if (before != null && time.elapsed().minus(before.readAt()).compareTo(FRESH) < 0) {
            return before.copies();
        }
        Duration readAt = time.elapsed();
        try {
            Map<TemplateName, Compiled> now = read(list, before == null ? Map.of() : before.copies());
            synchronized (known) {
                if (changes == ownChanges) {
                    known.put(list, new Known(readAt, now));
                }
            }
            return now;
        } catch (StorageException away) {
            if (before == null) {
                throw away;
            }
            return before.copies();
        }
    }

    /** A text that has not changed is not compiled again. */
    private Map<TemplateName, Compiled> read(ListName list, Map<TemplateName, Compiled> before) {
        Map<TemplateName, Compiled> now = new EnumMap<>(TemplateName.class);
        for (Row row : Rows.all(tables, TABLE, KeyRange.partition(list.value()))) {
            TemplateName.of(row.rowKey()).ifPresent(name -> {
                Compiled same = before.get(name);
                boolean unchanged = same != null && same.etag().equals(row.etag());
                now.put(name, unchanged ? same : compiled(name, row));
            });
        }
        return now;
    }

    private static Compiled compiled(TemplateName name, Row row) {
        TemplateCompiler.Result result =
                TemplateCompiler.compile(name, OwnTemplate.of(row.values()).text());
        return new Compiled(
                row.etag(),
                result instanceof TemplateCompiler.Result.Good good ? Optional.of(good.template()) : Optional.empty());
    }

    /** A template of a list as it is now. */
    public Entry find(ListName list, TemplateName name) {
        return entry(name, tables.get(TABLE, list.value(), name.file()));
    }

    /** All templates of a list as they are now. */
    public Map<TemplateName, Entry> all(ListName list) {
        Map<String, Row> rows = new LinkedHashMap<>();
        Rows.all(tables, TABLE, KeyRange.partition(list.value())).forEach(row -> rows.put(row.rowKey(), row));
        Map<TemplateName, Entry> all = new EnumMap<>(TemplateName.class);
        for (TemplateName name : TemplateName.values()) {
            all.put(name, entry(name, Optional.ofNullable(rows.get(name.file()))));
        }
        return all;
    }

    private Entry entry(TemplateName name, Optional<Row> row) {
        SharedTemplates.Shared now = Objects.requireNonNull(shared.all().get(name));
        if (row.isEmpty()) {
            return new Entry(name, now, null, null);
        }
        OwnTemplate own = OwnTemplate.of(row.get().values());
        TemplateFault fault =
                TemplateCompiler.compile(name, own.text()) instanceof TemplateCompiler.Result.Refused refused
                        ? refused.fault()
                        : null;
        return new Entry(name, now, new Versioned<>(own, row.get().etag()), fault);
    }

    /**
     * Gives a list a copy of its own, or another one.
     *
     * @param seen what the caller has read: where that is no more, nothing changes
     */
    public Saving save(ListName list, Entry seen, String text, String by) {
        String clean = text.replace("\r\n", "\n");
        if (TemplateCompiler.compile(seen.name(), clean) instanceof TemplateCompiler.Result.Refused refused) {
            return new Saving.Refused(refused.fault());
        }
        OwnTemplate own = new OwnTemplate(clean, seen.shared().version(), by, time.instant());
        Saved<OwnTemplate> saved = ConditionalWrites.put(
                tables,
                TABLE,
                new Key(list.value(), seen.name().file()),
                own.values(),
                Optional.ofNullable(seen.own()),
                OwnTemplate::of);
        forgetCopies(list);
        return saved instanceof Saved.Done<OwnTemplate>
                ? new Saving.Done(find(list, seen.name()))
                : new Saving.Conflict(find(list, seen.name()));
    }

    /** Takes a list's copy away; where there is none, nothing is to be done. */
    public Saving revert(ListName list, Entry seen) {
        if (seen.own() != null) {
            tables.write(
                    TABLE,
                    list.value(),
                    new Write.Delete(seen.name().file(), seen.own().etag()));
            forgetCopies(list);
        }
        Entry now = find(list, seen.name());
        return now.own() == null ? new Saving.Done(now) : new Saving.Conflict(now);
    }

    /** This process shows its own changes at once. */
    private void forgetCopies(ListName list) {
        synchronized (known) {
            ownChanges++;
            known.remove(list);
        }
    }

    /** Deletes what a list had, when it is deleted. */
    public static void forget(TableStore tables, ListName list) {
        Rows.all(tables, TABLE, KeyRange.partition(list.value()))
                .forEach(row -> tables.write(TABLE, list.value(), Write.delete(row.rowKey())));
    }
}
