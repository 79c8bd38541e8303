package org.azuremail.segment;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.azuremail.blobset.SetJobs;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.Segment;
import org.azuremail.list.SegmentName;
import org.azuremail.list.SegmentStore;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;

/**
 * The number of people in segments of large lists at the last count: rows {@code .counts}/{@code <list>.<segment>} of
 * the table {@code segment}. A job counts them, and the row names it. For unsaved rules, a row {@code .counts}/{@code
 * <list>..<hash>} names only the job, whose result is kept as long as that of every job.
 */
public record SegmentCounts(
        ListStore lists, PeopleJobParameters parameters, SetJobs jobs, TableStore tables, Time time) {

    public static final String JOB = "statistics";

    private static final String PARTITION = SegmentStore.COUNTS;

    /** The most rows of a list for unsaved rules; rules that share a row replace each other. */
    private static final int MAX_UNSAVED = 64;

    private static final Duration MAX_AGE = Duration.ofMinutes(15);
    private static final String COUNTED_BY = "Job";
    private static final String AT = "At";

    /**
     * A count.
     *
     * @param current whether it is for the segment's present rules
     */
    public record SegmentCount(long people, long subscribed, Instant at, boolean current) {

        public SegmentCount outdated() {
            return new SegmentCount(people, subscribed, at, false);
        }
    }

    /**
     * Starts a count, unless the same count is already running.
     *
     * @param by the person who asks for it; empty for the service itself
     */
    public void requestCount(Segment segment, String by) {
        String key = key(segment.list(), segment.name());
        Optional<Map<String, String>> about =
                lists.findActive(segment.list()).flatMap(list -> parameters.about(list, segment));
        if (about.isEmpty()) {
            tables.write(SegmentStore.TABLE, PARTITION, Write.delete(key));
        } else {
            requestCount(key, about.get(), by);
        }
    }

    public void requestCount(MailingList list, Rule resolved, String by) {
        requestCount(key(list, resolved), parameters.about(list, resolved), by);
    }

    private void requestCount(String key, Map<String, String> about, String by) {
        String rules = about.getOrDefault(PeopleJobParameters.RULES, "");
        if (job(key).filter(job -> !job.state().over() && counts(job, rules)).isEmpty()) {
            String job = jobs.start(jobs.newId(), JOB, about, by).id();
            change(key, values -> values.with(COUNTED_BY, job));
        }
    }

    /** Returns the last job that was started to count the people of a segment. */
    public Optional<SetJobs.Status> job(Segment segment) {
        return job(key(segment.list(), segment.name()));
    }

    /** Returns the last job that was started to count the people who match unsaved rules. */
    public Optional<SetJobs.Status> job(MailingList list, Rule resolved) {
        return job(key(list, resolved)).filter(job -> counts(job, RuleJson.text(resolved)));
    }

    private Optional<SetJobs.Status> job(String key) {
        return row(key).map(row -> row.values().string(COUNTED_BY, ""))
                .filter(job -> !job.isEmpty())
                .flatMap(jobs::find);
    }

    private static boolean counts(SetJobs.Status job, String rules) {
        return rules.equals(job.about().get(PeopleJobParameters.RULES));
    }

    /** Returns the last count for the segment's present rules. Starts a new count if that is missing or old. */
    public Optional<SegmentCount> latest(Segment segment) {
        Optional<SegmentCount> last = find(segment).filter(SegmentCount::current);
        boolean old = last.filter(count -> count.at().plus(MAX_AGE).isAfter(time.instant()))
                .isEmpty();
        if (old) {
            requestCount(segment, "");
        }
        return last;
    }

    public boolean isCounting(Segment segment) {
        return job(segment).filter(job -> !job.state().over()).isPresent();
    }

    public Optional<SegmentCount> find(Segment segment) {
        return row(key(segment.list(), segment.name()))
                .map(Row::values)
                .filter(values -> values.instant(AT) != null)
                .map(values -> new SegmentCount(
                        values.number("People", 0),
                        values.number("Subscribed", 0),
                        values.requireInstant(AT),
                        values.string("Rules", "").equals(segment.rules())));
    }

    /** Returns the last counts of the segments of a list, except for those that were never counted; one read. */
    public Map<SegmentName, Long> people(ListName list) {
        String prefix = list + ".";
        Map<SegmentName, Long> people = new HashMap<>();
        Rows.all(tables, SegmentStore.TABLE, KeyRange.prefix(PARTITION, prefix)).stream()
                .filter(row -> row.values().instant(AT) != null)
                .forEach(row -> SegmentName.parse(row.rowKey().substring(prefix.length()))
                        .ifPresent(name -> people.put(name, row.values().number("People", 0))));
        return people;
    }

    /** Saves a count, which replaces one that began earlier. */
    public void saveCount(ListName list, SegmentName segment, SegmentCount count, String rules) {
        change(key(list, segment), values -> {
            Instant before = values.instant(AT);
            return before != null && before.isAfter(count.at())
                    ? values
                    : values.with("People", count.people())
                            .with("Subscribed", count.subscribed())
                            .with(AT, count.at())
                            .with("Rules", rules);
        });
    }

    private void change(String key, UnaryOperator<Values> change) {
        ConditionalWrites.retryIdempotentUntilDone("the count of a segment", () -> {
            Optional<Row> row = row(key);
            Values before = row.map(Row::values).orElse(Values.none());
            Values after = change.apply(before);
            return (row.isPresent() && after.equals(before))
                    || tables.write(SegmentStore.TABLE, PARTITION, Write.put(row, key, after))
                            .written();
        });
    }

    private Optional<Row> row(String key) {
        return tables.get(SegmentStore.TABLE, PARTITION, key);
    }

    private static String key(ListName list, SegmentName segment) {
        return list + "." + segment;
    }

    private static String key(MailingList list, Rule resolved) {
        return list.name() + ".." + Math.floorMod(RuleJson.text(resolved).hashCode(), MAX_UNSAVED);
    }
}
