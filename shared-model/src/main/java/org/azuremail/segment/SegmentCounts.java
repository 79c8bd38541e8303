package org.azuremail.segment;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.azuremail.blobset.SetJobs;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.Segment;
import org.azuremail.list.SegmentName;
import org.azuremail.list.SegmentStore;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;

/**
 * The number of people in segments of large lists when they were last counted: rows {@code .counts}/{@code <list>.<segment>} of
 * the table {@code segment}. A job counts them; its row names it until then.
 */
public class SegmentCounts {

    /** The job that counts people. */
    public static final String JOB = "statistics";

    private static final String PARTITION = ".counts";
    private static final Duration FRESH = Duration.ofMinutes(15);
    private static final String COUNTED_BY = "Job";
    private static final String AT = "At";

    private final ListStore lists;
    private final PeopleJobs parameters;
    private final SetJobs jobs;
    private final TableStore tables;
    private final Time time;

    public SegmentCounts(ListStore lists, PeopleJobs parameters, SetJobs jobs, TableStore tables, Time time) {
        this.lists = lists;
        this.parameters = parameters;
        this.jobs = jobs;
        this.tables = tables;
        this.time = time;
    }

    /**
     * A count.
     *
     * @param at when it began
     * @param current whether it was made by the rules that the segment has now
     */
    public record Counted(long people, long subscribed, Instant at, boolean current) {}

    /**
     * Somebody wants to know. Asking again while the same is counted counts once.
     *
     * @param by who asks; empty: the service itself
     */
    public void ask(Segment segment, String by) {
        Optional<Map<String, String>> about =
                lists.findActive(segment.list()).flatMap(list -> parameters.about(list, segment));
        if (about.isEmpty()) {
            tables.write(SegmentStore.TABLE, PARTITION, Write.delete(key(segment.list(), segment.name())));
        } else if (running(segment, about.get().getOrDefault(PeopleJobs.RULES, ""))
                .isEmpty()) {
            String job = jobs.start(jobs.newId(), JOB, about.get(), by).id();
            change(segment.list(), segment.name(), values -> values.with(COUNTED_BY, job));
        }
    }

    private Optional<SetJobs.Status> running(Segment segment, String rules) {
        return counting(segment).filter(job -> rules.equals(job.about().get(PeopleJobs.RULES)));
    }

    private Optional<SetJobs.Status> counting(Segment segment) {
        return row(segment.list(), segment.name())
                .map(row -> row.values().string(COUNTED_BY, ""))
                .filter(job -> !job.isEmpty())
                .flatMap(jobs::find)
                .filter(job -> !job.state().over());
    }

    /** The last count by the rules that the segment has now; has it counted where there is none, or where that is old. */
    public Optional<Counted> latest(Segment segment) {
        Optional<Counted> last = find(segment).filter(Counted::current);
        boolean old = last.filter(count -> count.at().plus(FRESH).isAfter(time.instant()))
                .isEmpty();
        if (old) {
            ask(segment, "");
        }
        return last;
    }

    /** Returns whether a count is under way. */
    public boolean wanted(Segment segment) {
        return counting(segment).isPresent();
    }

    /** The last count, if there was one. */
    public Optional<Counted> find(Segment segment) {
        return row(segment.list(), segment.name())
                .map(Row::values)
                .filter(values -> values.instant(AT) != null)
                .map(values -> new Counted(
                        values.number("People", 0),
                        values.number("Subscribed", 0),
                        values.requireInstant(AT),
                        values.string("Rules", "").equals(segment.rules())));
    }

    /**
     * A count is made; it takes the place of one that began earlier.
     *
     * @param rules by which it was made
     */
    public void counted(ListName list, SegmentName segment, Counted count, String rules) {
        change(list, segment, values -> {
            Instant before = values.instant(AT);
            return before != null && before.isAfter(count.at())
                    ? values
                    : values.with("People", count.people())
                            .with("Subscribed", count.subscribed())
                            .with(AT, count.at())
                            .with("Rules", rules);
        });
    }

    private void change(ListName list, SegmentName segment, UnaryOperator<Values> change) {
        ConditionalWrites.untilKnownDone("the count of a segment", () -> {
            Optional<Row> row = row(list, segment);
            Values before = row.map(Row::values).orElse(Values.none());
            Values after = change.apply(before);
            return (row.isPresent() && after.equals(before))
                    || tables.write(SegmentStore.TABLE, PARTITION, Write.put(row, key(list, segment), after))
                            .written();
        });
    }

    private Optional<Row> row(ListName list, SegmentName segment) {
        return tables.get(SegmentStore.TABLE, PARTITION, key(list, segment));
    }

    private static String key(ListName list, SegmentName segment) {
        return list + "." + segment;
    }
}
