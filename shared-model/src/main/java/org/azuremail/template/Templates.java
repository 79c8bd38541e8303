package org.azuremail.template;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Saved;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * The templates of lists: the shared ones, unless a list has its own copy in the row {@code <list>}/{@code <file>} of
 * the table {@code template}. For subscribers, a process reads the rows of a list at most every {@link #CACHE_TTL}, so
 * other processes show a change that much later, and all templates of one page or email are from the same moment. A
 * copy that this version of the product refuses is ignored. Safe for use from many threads and processes.
 */
public final class Templates {

    public static final String TABLE = "template";

    /** The greatest age of the templates that subscribers see. */
    public static final Duration CACHE_TTL = Duration.ofSeconds(5);

    /** The most lists in memory. A list takes about 200 KB if all its templates have their greatest length. */
    private static final int MAX_LISTS = 100;

    private final SharedTemplates shared;
    private final TableStore tables;
    private final Time time;

    /** The number of changes by this process. Rows that were read before a change must not replace its result. */
    private long ownChanges;

    private final Map<ListName, Known> known = new LinkedHashMap<>(MAX_LISTS, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ListName, Known> eldest) {
            return size() > MAX_LISTS;
        }
    };

    /** The templates at one moment. */
    @FunctionalInterface
    public interface TemplateSet {
        CompiledTemplate get(TemplateName name);
    }

    /** A list's copies as read; refused ones are empty. */
    private record Known(Duration readAt, Map<TemplateName, Compiled> copies) {}

    private record Compiled(String etag, Optional<CompiledTemplate> template) {}

    /**
     * A list's own copy of a template.
     *
     * @param shared the version of the shared template when the copy was created or last saved
     * @param changedBy the admin or the API key
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

    public enum State {
        SHARED,
        CUSTOMISED,
        /** The list has its own copy, and the shared template has changed since. */
        OUTDATED,
        /** The list has its own copy, but it is refused, so subscribers get the shared template. */
        BROKEN
    }

    /**
     * A template of a list.
     *
     * @param own the list's copy; {@code null} if it uses the shared template
     * @param fault why the copy is refused; {@code null} if it is not
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

        /** Returns the version of the copy; it is the same in all processes, even if their shared templates differ. */
        public String etag() {
            return own == null ? "shared" : own.etag();
        }
    }

    public sealed interface Saving {
        record Done(Entry entry) implements Saving {}

        /** Nothing changed, because another person saved first. */
        record Conflict(Entry current) implements Saving {}

        record Refused(TemplateFault fault) implements Saving {}

        /** The list was deleted meanwhile; the copy is not kept. */
        record NoSuchList() implements Saving {}
    }

    public Templates(SharedTemplates shared, TableStore tables, Time time) {
        this.shared = shared;
        this.tables = tables;
        this.time = time;
        tables.createTable(TABLE);
    }

    /** Returns the templates that subscribers of a list see; without a list, the shared ones. */
    public TemplateSet of(@Nullable ListName list) {
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
        if (before != null && time.elapsed().minus(before.readAt()).compareTo(CACHE_TTL) < 0) {
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

    /** Reads a list's copies. A text that has not changed is not compiled again. */
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
        String text = OwnTemplate.of(row.values()).text();
        return new Compiled(
                row.etag(),
                Optional.ofNullable(TemplateCompiler.compile(name, text).template()));
    }

    public Entry find(ListName list, TemplateName name) {
        return entry(name, tables.get(TABLE, list.value(), name.file()));
    }

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
        TemplateFault fault = TemplateCompiler.compile(name, own.text()).fault();
        return new Entry(name, now, new Versioned<>(own, row.get().etag()), fault);
    }

    /**
     * Creates or replaces a list's copy.
     *
     * @param list the list as the caller has read it; a new list with the same name does not get the copy
     * @param seen the template as the caller has read it; if it has changed since, this changes nothing
     */
    public Saving save(MailingList list, Entry seen, String text, String by) {
        Saving saving = save(list.name(), seen, text, by);
        if (saving instanceof Saving.Done done && !new ListStore(tables).isStillThere(list)) {
            revert(list.name(), done.entry());
            return new Saving.NoSuchList();
        }
        return saving;
    }

    Saving save(ListName list, Entry seen, String text, String by) {
        String clean = text.replace("\r\n", "\n");
        TemplateFault fault = TemplateCompiler.compile(seen.name(), clean).fault();
        if (fault != null) {
            return new Saving.Refused(fault);
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

    /** Forgets the copies in memory, so that this process shows its own changes at once. */
    private void forgetCopies(ListName list) {
        synchronized (known) {
            ownChanges++;
            known.remove(list);
        }
    }

    /** @param isDeleting asked after the rows are read, so that those of a new list with the same name are kept */
    public static void forget(TableStore tables, ListName list, Predicate<ListName> isDeleting) {
        List<Row> rows = Rows.all(tables, TABLE, KeyRange.partition(list.value()));
        if (isDeleting.test(list)) {
            rows.forEach(row -> tables.write(TABLE, list.value(), Write.delete(row)));
        }
    }
}
