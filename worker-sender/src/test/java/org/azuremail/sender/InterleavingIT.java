package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Checks two schedulers and three senders, one of them with two threads. A seed interleaves them at every storage call,
 * clock reading, rate token and transport call, while people leave, move, pause, edit, cancel, delete the list, decide
 * and send again. Items arrive twice, late and out of order, leases lapse under live holders, and clocks are up to a
 * minute apart. {@code -Dazuremail.test.seeds=N} runs N seeds, {@code -Dazuremail.test.seed=N} runs one and prints its
 * trace, and {@code -Dazuremail.test.failures=N} continues until N seeds have failed.
 */
class InterleavingIT {

    private static final long SEEDS = Long.getLong("azuremail.test.seeds", 800);
    private static final long ONE = Long.getLong("azuremail.test.seed", -1);
    private static final int MOST_FAILURES = Integer.getInteger("azuremail.test.failures", 1);

    private final SortedMap<Long, Throwable> failures = new ConcurrentSkipListMap<>();
    private final SortedMap<Long, String> traces = new ConcurrentSkipListMap<>();
    private final AtomicLong steps = new AtomicLong();
    private final AtomicLong takenOver = new AtomicLong();
    private final AtomicLong lapsedLots = new AtomicLong();
    private final AtomicLong freezes = new AtomicLong();
    private final AtomicLong reopenings = new AtomicLong();
    private final AtomicLong deaths = new AtomicLong();
    private final AtomicLong longest = new AtomicLong();

    @Test
    void everyPromiseHoldsInWhateverOrderThingsHappen() throws Exception {
        long first = ONE >= 0 ? ONE : 1;
        long last = ONE >= 0 ? ONE : SEEDS;
        runAll(first, last);
        System.out.printf(
                "interleavings: %d seeds, %d steps, %d freezes, %d deaths, %d ranges taken over, %d lots lapsed, %d times sent again,"
                        + " at rest after %s at most%n",
                last - first + 1,
                steps.get(),
                freezes.get(),
                deaths.get(),
                takenOver.get(),
                lapsedLots.get(),
                reopenings.get(),
                Duration.ofMillis(longest.get()));
        failOnTheFirst();
        if (last - first >= 500) {
            assertThat(takenOver.get()).as("ranges taken over").isGreaterThan(100);
            assertThat(lapsedLots.get()).as("lots that lapsed").isGreaterThan(100);
            assertThat(deaths.get()).as("processes that died").isGreaterThan(100);
            assertThat(reopenings.get()).as("messages sent again").isGreaterThan(100);
        }
    }

    /** Runs several seeds at a time. Each has its own threads, of which one runs. */
    private void runAll(long first, long last) throws Exception {
        AtomicLong next = new AtomicLong(first);
        int workers = Runtime.getRuntime().availableProcessors();
        ExecutorService pool = Executors.newFixedThreadPool(workers);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int worker = 0; worker < workers; worker++) {
                running.add(pool.submit(() -> {
                    for (long seed = next.getAndIncrement(); seed <= last; seed = next.getAndIncrement()) {
                        if (failures.size() < MOST_FAILURES) {
                            run(seed);
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> worker : running) {
                worker.get();
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private void run(long seed) throws IOException {
        InterleavedCampaign campaign = new InterleavedCampaign(seed);
        try {
            campaign.run();
        } catch (AssertionError | Exception e) {
            failures.put(seed, e);
            traces.put(seed, campaign.baton().trace());
        }
        steps.addAndGet(campaign.baton().steps());
        freezes.addAndGet(campaign.baton().freezes());
        takenOver.addAndGet(campaign.witness().takenOver());
        lapsedLots.addAndGet(campaign.witness().lapsedLots());
        reopenings.addAndGet(campaign.witness().reopenings());
        deaths.addAndGet(campaign.deaths());
        longest.accumulateAndGet(campaign.baton().longest().toMillis(), Math::max);
    }

    private void failOnTheFirst() {
        failures.forEach((seed, failure) -> System.out.println("seed " + seed + ": " + rootOf(failure)));
        if (failures.isEmpty()) {
            return;
        }
        long seed = failures.firstKey();
        System.out.println(traces.get(seed));
        throw new AssertionError(
                failures.size() + " seeds failed, first " + seed + "; -Dazuremail.test.seed=" + seed + " repeats it",
                failures.get(seed));
    }

    private static String rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return Optional.ofNullable(root.getMessage())
                .orElse(root.toString())
                .strip()
                .replaceAll("\\s+", " ");
    }
}
