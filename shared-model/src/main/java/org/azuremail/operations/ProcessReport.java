package org.azuremail.operations;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.azuremail.operations.LastHour.Count;
import org.azuremail.operations.LastHour.Growth;

/**
 * The report of one process on itself, written as facts and read back. Facts that another version wrote in a different
 * form are left out.
 *
 * @param span the time in which recent counts grew
 * @param counts the counts by name, see {@link #callName} and {@link #workName}
 * @param places how many items of a queue the process handles at the same time; some queues share them
 * @param capacity how many items of all queues together it handles at the same time
 */
record ProcessReport(Duration span, Map<String, Count> counts, Map<String, Long> places, long capacity) {

    static final String EMPTY = "empty";
    static final String FINISHED = "finished";
    static final String RETRIED = "retried";
    static final String FAILED = "failed";
    static final String MILLIS = "millis";
    static final String LOOKS = "looks";
    static final String BEGUN = "begun";
    static final String LATE = "late";
    static final String STARVED = "starved";

    /** The prefix of the number of a step of {@link org.azuremail.work.run.WaitHistogram}. */
    static final String WAIT = "wait-";

    private static final String SPAN = "seconds";
    private static final String CAPACITY = "capacity";
    private static final String CALLS = "calls/";
    private static final String WORK = "work/";
    private static final String PLACES = "places/";
    private static final Count NONE = new Count(0, 0);
    private static final Pattern COUNT = Pattern.compile("([0-9]{1,18}) ([0-9]{1,18})");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

    /** The storage calls that make up one line on the page. */
    record Calls(String store, String name, String operation) {}

    static String callName(String store, String name, String operation) {
        return CALLS + store + "/" + name + "/" + operation;
    }

    static String workName(String queue, String what) {
        return WORK + queue + "/" + what;
    }

    static Map<String, String> write(Growth growth, Map<String, Long> places, long capacity) {
        Map<String, String> facts = new TreeMap<>();
        facts.put(SPAN, String.valueOf(growth.span().toSeconds()));
        facts.put(CAPACITY, String.valueOf(capacity));
        growth.counts().forEach((name, count) -> facts.put(name, count.lately() + " " + count.total()));
        places.forEach((queue, number) -> facts.put(PLACES + queue, String.valueOf(number)));
        return facts;
    }

    static ProcessReport read(Map<String, String> facts) {
        Map<String, Count> counts = new TreeMap<>();
        Map<String, Long> places = new TreeMap<>();
        facts.forEach((name, value) -> {
            Matcher count = COUNT.matcher(value);
            if (count.matches() && (name.startsWith(CALLS) || name.startsWith(WORK))) {
                counts.put(name, new Count(Long.parseLong(count.group(1)), Long.parseLong(count.group(2))));
            } else if (name.startsWith(PLACES)) {
                number(value).ifPresent(number -> places.put(name.substring(PLACES.length()), number));
            }
        });
        return new ProcessReport(Duration.ofSeconds(number(facts, SPAN)), counts, places, number(facts, CAPACITY));
    }

    Count work(String queue, String what) {
        return counts.getOrDefault(workName(queue, what), NONE);
    }

    /** Returns the totals of the counts that change when queues do: items sent, and items handled with any result. */
    Map<String, Long> movements() {
        Map<String, Long> movements = new TreeMap<>();
        counts.forEach((name, count) -> {
            boolean handled = name.startsWith(WORK) && !name.endsWith("/" + EMPTY);
            if (handled || (name.startsWith(CALLS + "queue/") && name.endsWith("/send"))) {
                movements.put(name, count.total());
            }
        });
        return movements;
    }

    /**
     * Returns how many items waited for how long in the span, by the steps of {@link
     * org.azuremail.work.run.WaitHistogram}.
     */
    Map<Integer, Long> waits(String queue) {
        Map<Integer, Long> waits = new TreeMap<>();
        String prefix = workName(queue, WAIT);
        counts.forEach((name, count) -> {
            if (name.startsWith(prefix)) {
                number(name.substring(prefix.length())).ifPresent(step -> waits.put(step.intValue(), count.lately()));
            }
        });
        return waits;
    }

    long places(String queue) {
        return places.getOrDefault(queue, 0L);
    }

    Map<Calls, Count> calls() {
        Map<Calls, Count> calls = new HashMap<>();
        counts.forEach((name, count) -> {
            String[] parts = name.split("/", 4);
            if (name.startsWith(CALLS) && parts.length == 4) {
                calls.put(new Calls(parts[1], parts[2], parts[3]), count);
            }
        });
        return calls;
    }

    /** Returns the share of the places that was taken in the span, 0 to 1; empty if the process handles no items. */
    Optional<Double> busy() {
        long max = capacity * span.toMillis();
        long worked = places.keySet().stream()
                .mapToLong(queue -> work(queue, MILLIS).lately())
                .sum();
        return max == 0 ? Optional.empty() : Optional.of(Math.min(1.0, (double) worked / max));
    }

    private static long number(Map<String, String> facts, String name) {
        return number(facts.getOrDefault(name, "0")).orElse(0L);
    }

    private static Optional<Long> number(String text) {
        return NUMBER.matcher(text).matches() ? Optional.of(Long.valueOf(text)) : Optional.empty();
    }
}
