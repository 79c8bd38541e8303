package org.azuremail.bench;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Case 11: all roles in one process with nothing to do. It is watched while other cases run, since only its own cost
 * counts.
 */
final class IdleCase {

    private static final int FULL_SECONDS = 600;
    private static final int FEWEST_SECONDS = 60;

    /**
     * The time to wait after the start. For the first three minutes a process polls often, for items that a dead
     * process may have left.
     */
    private static final int SETTLE_SECONDS = 240;

    private @Nullable CompletableFuture<Watched> watched;

    private record Watched(Service service, long since, double calls, double cpu) {}

    /** Starts the service and, when it has settled, the measurement. */
    void begin(Lab lab) {
        Lab.log("case 11 begins to rest");
        Service service = Service.start(lab, "data/idle");
        Executor later = CompletableFuture.delayedExecutor(SETTLE_SECONDS, TimeUnit.SECONDS);
        watched = CompletableFuture.supplyAsync(() -> watch(service), later);
    }

    private static Watched watch(Service service) {
        double calls = service.api().storageCalls();
        return new Watched(service, System.nanoTime(), calls, service.jvm().cpuSeconds());
    }

    void run(Lab lab, ReportEntry entry) {
        if (watched == null) {
            throw new IllegalStateException("it did not begin");
        }
        Watched idle = watched.join();
        double rest = Math.max(FEWEST_SECONDS, FULL_SECONDS * lab.options().scale());
        while (Lab.seconds(idle.since()) < rest) {
            Service.sleep(500);
        }
        double cpu = idle.service().jvm().cpuSeconds() - idle.cpu();
        double seconds = Lab.seconds(idle.since());
        // This call itself reads the key.
        double calls = idle.service().api().storageCalls() - idle.calls() - 1;
        entry.add(
                "idle for %.0f s, all roles: storage calls an hour".formatted(seconds),
                calls * 3600 / seconds,
                "< 200");
        entry.add("– CPU ms a minute", cpu * 60_000 / seconds, "< 100");
        entry.add("– resident, MiB", "" + idle.service().jvm().residentMib(), "");
        idle.service().close();
    }
}
