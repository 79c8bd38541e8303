package org.azuremail.attention;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.attention.Cause.Kind;
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
 * The causes that admins have been emailed about. There is at most one email about each kind within {@link #BETWEEN},
 * and none about a cause that they know already, while it lasts. The mark is written before the email leaves. If it is
 * unknown whether an email left, it counts as not sent, but only once that time is over.
 *
 * @param kinds the state by kind; kinds without anything to remember are left out
 */
public record ReportedCauses(Map<Kind, KindState> kinds) {

    /** The least time between two emails about one kind. */
    public static final Duration BETWEEN = Duration.ofHours(1);

    static final ReportedCauses NONE = new ReportedCauses(Map.of());

    /** The most causes of one kind that are told apart. */
    private static final int MAX_OF_A_KIND = 20;

    /**
     * The state of one kind of cause.
     *
     * @param emailedAt when the last email was marked, or {@code null} if there was none
     * @param sure whether that email certainly left
     */
    record KindState(@Nullable Instant emailedAt, boolean sure, Map<String, SubjectState> subjects) {

        static final KindState NEW = new KindState(null, true, Map.of());

        boolean mayEmail(Instant now) {
            return emailedAt == null || !now.isBefore(emailedAt.plus(BETWEEN));
        }

        /**
         * Returns a copy with the causes that last, and without the others. If the last email was lost, admins know of
         * none.
         */
        KindState updated(Collection<Cause> lasting, Instant now) {
            boolean lost = !sure && mayEmail(now);
            Map<String, SubjectState> all = new TreeMap<>();
            lasting.forEach(cause -> cause.parts().forEach(part -> {
                SubjectState known = subjects.getOrDefault(part, new SubjectState(now, 0));
                all.put(part, new SubjectState(known.since(), lost ? 0 : Math.min(known.told(), cause.size())));
            }));
            return new KindState(emailedAt, sure || lost, all);
        }

        /** Returns the causes that admins do not know and that have lasted long enough. */
        List<Cause> news(Collection<Cause> lasting, Instant now) {
            return lasting.stream()
                    .filter(cause -> unknownSince(cause)
                            .filter(since ->
                                    !now.isBefore(since.plus(cause.kind().patience())))
                            .isPresent())
                    .toList();
        }

        KindState reported(List<Cause> news, Instant now) {
            Map<String, SubjectState> all = new TreeMap<>(subjects);
            news.forEach(cause -> cause.parts()
                    .forEach(part -> all.computeIfPresent(
                            part, (subject, seen) -> new SubjectState(seen.since(), cause.size()))));
            return new KindState(now, false, all);
        }

        /** Returns the time from which another email about this kind is allowed. */
        Optional<Instant> next(Collection<Cause> lasting, Instant now) {
            Instant free = mayEmail(now) || emailedAt == null ? now : emailedAt.plus(BETWEEN);
            return lasting.stream()
                    .flatMap(cause -> (sure ? unknownSince(cause) : lastingSince(cause, part -> true))
                            .map(since -> since.plus(cause.kind().patience())).stream())
                    .map(due -> due.isAfter(free) ? due : free)
                    .min(Instant::compareTo);
        }

        /**
         * Returns the time since which the part of the cause lasts that admins do not know; empty if they know all of
         * it.
         */
        private Optional<Instant> unknownSince(Cause cause) {
            return lastingSince(cause, part -> {
                SubjectState seen = subjects.get(part);
                return seen == null || cause.size() > seen.told();
            });
        }

        private Optional<Instant> lastingSince(Cause cause, Predicate<String> wanted) {
            return cause.parts().stream()
                    .filter(wanted)
                    .map(part -> Optional.ofNullable(subjects.get(part))
                            .map(SubjectState::since)
                            .orElse(Instant.EPOCH))
                    .min(Instant::compareTo);
        }
    }

    /**
     * A cause, or a part of it.
     *
     * @param since when it was first seen
     * @param told the size that admins know of; 0 if they do not know of it
     */
    record SubjectState(Instant since, long told) {}

    /**
     * The next step.
     *
     * @param due the causes that admins are to be emailed about, the worst first
     * @param seen the state to store if no email can be sent
     * @param marked the state to store before an email is sent
     * @param again when the next email may be due, if the causes stay the same
     */
    public record ReportPlan(List<Cause> due, ReportedCauses seen, ReportedCauses marked, Optional<Instant> again) {}

    /** @param causes all problems that need a person now, the worst first */
    public ReportPlan plan(List<Cause> causes, Instant now) {
        Map<Kind, Map<String, Cause>> current = new EnumMap<>(Kind.class);
        Stream.of(causes.stream(), waitedBefore(), waitedUntilNow(causes, now))
                .flatMap(some -> some)
                .filter(cause -> cause.kind().mailed())
                .forEach(cause ->
                        add(current.computeIfAbsent(cause.kind().group(), kind -> new LinkedHashMap<>()), cause));
        List<Cause> due = new ArrayList<>();
        Map<Kind, KindState> seen = new EnumMap<>(Kind.class);
        Map<Kind, KindState> marked = new EnumMap<>(Kind.class);
        List<Instant> again = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            KindState before = kinds.getOrDefault(kind, KindState.NEW);
            Collection<Cause> lasting = current.getOrDefault(kind, Map.of()).values();
            KindState then = before.updated(lasting, now);
            List<Cause> news = then.news(lasting, now);
            boolean mail = !news.isEmpty() && before.mayEmail(now);
            put(seen, kind, then, now);
            put(marked, kind, mail ? then.reported(news, now) : then, now);
            if (mail) {
                due.addAll(news);
            }
            then.next(lasting, now).ifPresent(again::add);
        }
        return new ReportPlan(
                due,
                new ReportedCauses(seen),
                new ReportedCauses(marked),
                again.stream().min(Instant::compareTo));
    }

    /** Returns a copy that records that the email that was marked at this time left, because its answer has arrived. */
    public ReportedCauses sure(Instant mark) {
        Map<Kind, KindState> all = new EnumMap<>(Kind.class);
        kinds.forEach((kind, one) -> {
            boolean left = one.sure() || mark.equals(one.emailedAt());
            all.put(kind, new KindState(one.emailedAt(), left, one.subjects()));
        });
        return new ReportedCauses(all);
    }

    private static void add(Map<String, Cause> ofKind, Cause cause) {
        if (ofKind.size() < MAX_OF_A_KIND) {
            ofKind.putIfAbsent(cause.subject(), cause);
        }
    }

    private static void put(Map<Kind, KindState> kinds, Kind kind, KindState one, Instant now) {
        if (!one.subjects().isEmpty() || !one.mayEmail(now)) {
            kinds.put(kind, one);
        }
    }

    /** Returns the providers that were on hold and of which admins are still to be told. */
    private Stream<Cause> waitedBefore() {
        KindState waited = kinds.getOrDefault(Kind.PROVIDER_WAITED, KindState.NEW);
        return waited.subjects().entrySet().stream()
                .filter(one -> one.getValue().told() == 0 || !waited.sure())
                .map(one -> waited(one.getKey(), one.getValue().since()));
    }

    /**
     * Returns the providers that work again, but were on hold for so long that admins would have been told if any email
     * could have left.
     */
    private Stream<Cause> waitedUntilNow(List<Cause> causes, Instant now) {
        Set<String> waiting = causes.stream()
                .filter(cause -> cause.kind() == Kind.PROVIDER_WAITING)
                .map(Cause::subject)
                .collect(Collectors.toSet());
        return kinds.getOrDefault(Kind.PROVIDER_WAITING, KindState.NEW).subjects().entrySet().stream()
                .filter(one -> one.getValue().told() == 0 && !waiting.contains(one.getKey()))
                .filter(one -> !now.isBefore(one.getValue().since().plus(Kind.PROVIDER_WAITING.patience())))
                .map(one -> waited(one.getKey(), one.getValue().since()));
    }

    private static Cause waited(String transport, Instant since) {
        return new Cause(Kind.PROVIDER_WAITED, transport, 1, List.of(transport, since), "/operations", null);
    }

    /**
     * Stores what admins have been told, in one row of table {@code work} that is changed under its ETag only. Safe for
     * use from many processes.
     */
    public static final class ReportedCausesStore {

        private static final Logger LOG = LoggerFactory.getLogger(ReportedCausesStore.class);
        private static final JsonMapper JSON = JsonMapper.builder().build();
        private static final String PARTITION = "attention";
        private static final String ROW = "told";
        private static final String KINDS = "Kinds";

        private final Table table;

        public ReportedCausesStore(Storage storage) {
            this.table = new Table(storage.tables(), "work");
        }

        /** The state as it was read, with its row for a later change. */
        public record StoredCauses(
                ReportedCauses causes, @Nullable Row row) {}

        public StoredCauses read() {
            return table.get(PARTITION, ROW)
                    .map(row -> new StoredCauses(causesOf(row), row))
                    .orElse(new StoredCauses(ReportedCauses.NONE, null));
        }

        /**
         * Replaces the state that was read.
         *
         * @return false if another process was faster, or if the answer to our own write was lost
         */
        public boolean write(StoredCauses before, ReportedCauses causes) {
            Values values = Values.of(KINDS, JSON.writeValueAsString(causes));
            return table.write(PARTITION, Write.put(Optional.ofNullable(before.row()), ROW, values))
                    .written();
        }

        /**
         * Returns the state of a row. If the row cannot be read, for example because another version wrote it, admins
         * are at worst told again.
         */
        private static ReportedCauses causesOf(Row row) {
            try {
                return JSON.readValue(row.values().requireString(KINDS), ReportedCauses.class);
            } catch (JacksonException unreadable) {
                LOG.warn("what admins have been told of is not readable and begins anew", unreadable);
                return ReportedCauses.NONE;
            }
        }
    }
}
