package org.azuremail.sender;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The latest steps, each with its task and time. All steps are kept when one seed is repeated. */
final class BatonTrace {

    private static final int KEPT = 400;

    private final Deque<Entry> entries = new ArrayDeque<>();
    private final int kept;

    /** @param all the number of entries to keep when one seed is repeated */
    BatonTrace(int all) {
        kept = Stream.of("azuremail.test.seed", "azuremail.test.outage.seed").allMatch(one -> Long.getLong(one) == null)
                ? KEPT
                : all;
    }

    private record Entry(Duration at, String who, Supplier<String> what) {
        String text() {
            return "%s %-12s %s".formatted(at, who, what.get());
        }
    }

    /** @param what builds its text only when the trace is read */
    void add(Duration at, String who, Supplier<String> what) {
        entries.add(new Entry(at, who, what));
        if (entries.size() > kept) {
            entries.remove();
        }
    }

    String text() {
        return entries.stream().map(Entry::text).collect(Collectors.joining("\n"));
    }
}
