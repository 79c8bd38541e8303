package org.azuremail.work.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.azuremail.storage.Row;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;
import org.azuremail.work.lease.Lease;
import org.azuremail.work.lease.LeaseRenewals;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.service.ScheduledService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one scheduled service if this process holds its lease. The row of the lease also records when the last run
 * began, and is written before each run. So of any number of instances one runs the service, once per interval, even if
 * their clocks differ.
 *
 * <p>If the interval is short, the lease is kept between runs. While there is nothing to do, its row is only written
 * when the lease is renewed. A process that takes over from a dead holder therefore assumes that a run began at the
 * last possible moment. If the holder is known to be gone, the next run comes soon instead. If the interval is long,
 * the lease is released after each run, and the first process to take it runs the service next time. One thread calls
 * {@link #runOnce}.
 */
final class LeasedRunner implements ServiceRunner {

    private static final Logger LOG = LoggerFactory.getLogger(LeasedRunner.class);
    private static final Duration LOST_RACE_DELAY = Duration.ofSeconds(1);

    private static final Duration LONG_INTERVAL = Duration.ofHours(6);
    private static final int SHARES = 61;

    private final WorkRuntime runtime;
    private final Leases leases;
    private final Time time;
    private final ScheduledService service;
    private final LastRun lastRun;
    private final SignalledPace pace = new SignalledPace();
    private volatile @Nullable Lease lease;
    private boolean active;
    private boolean soon;

    /**
     * Whether the next run may find work. The lease is short then, so that a runner that dies of this work is replaced
     * as soon as one that dies during known work.
     */
    private boolean mayFindWork;

    private Duration renewElapsed = Duration.ZERO;

    LeasedRunner(WorkRuntime runtime, ScheduledService service) {
        this.runtime = runtime;
        this.leases = runtime.leases();
        this.time = runtime.time();
        this.service = service;
        this.lastRun = new LastRun(time, leases.foreignGrace());
    }

    /**
     * Runs the service if it is due and no other instance runs it.
     *
     * @return how long this process has nothing to do for the service
     * @throws org.azuremail.storage.StorageException if the lease is out of reach
     */
    @Override
    public Duration runOnce() {
        Lease held = lease;
        return held != null && (held.held() || renew(held)) ? takeTurn(held) : tryAcquireLease();
    }

    /**
     * Does the same as {@link #runOnce} without waiting for the interval. It still waits for a short time after the
     * previous run ({@link SignalledPace}), and for the lease if another instance holds it.
     */
    @Override
    public Duration runSoon() {
        soon = true;
        return runOnce();
    }

    /** Lets other instances take over immediately. */
    @Override
    public void release() {
        Lease held = lease;
        lease = null;
        if (held != null) {
            held.release(lastRun.began());
        }
    }

    @Override
    public boolean runsHere() {
        return !isKeptBetweenRuns() || lease != null;
    }

    private Duration tryAcquireLease() {
        Optional<Row> row = leases.read(service.name());
        observe(row);
        Duration untilFree = row.map(this::untilFree).orElse(Duration.ZERO);
        Duration wait = isPositive(untilFree) ? untilFree : untilDue();
        if (isPositive(wait)) {
            return wait;
        }
        mayFindWork = isLong(leases.idle());
        Instant now = now();
        boolean unreportedRuns = isKeptBetweenRuns() && !active;
        return leases.acquire(service.name(), duration(), row, now, unreportedRuns)
                .map(acquired -> takeFirstTurn(acquired, now))
                .orElse(LOST_RACE_DELAY);
    }

    /**
     * Updates the last run from the row. A runner that died may have received a signal that no other process did, so a
     * frequent service runs soon.
     */
    private void observe(Optional<Row> row) {
        boolean gone = row.filter(leases::isHolderDead).isPresent();
        lastRun.observe(row.map(Row::values).map(gone ? Lease::reportedRun : Lease::latestPossibleRun));
        soon |= gone && isKeptBetweenRuns();
    }

    private Duration takeFirstTurn(Lease acquired, Instant began) {
        lease = acquired;
        renewElapsed = time.elapsed().plus(duration().dividedBy(2));
        lastRun.observe(Optional.of(began));
        Duration rest = call(acquired);
        releaseUnlessKept();
        return rest;
    }

    /** Releases the lease if the interval has become too long to keep it. */
    private void releaseUnlessKept() {
        if (!isKeptBetweenRuns()) {
            release();
        }
    }

    private Duration takeTurn(Lease held) {
        Duration untilDue = untilDue();
        if (!isPositive(untilDue)) {
            Duration rest = run(held);
            releaseUnlessKept();
            return rest;
        }
        if (time.elapsed().compareTo(renewElapsed) >= 0) {
            renew(held);
        }
        return untilDueOrRenewal();
    }

    private Duration untilDueOrRenewal() {
        Duration untilDue = untilDue();
        Duration untilRenewal = renewElapsed.minus(time.elapsed());
        return isKeptBetweenRuns() ? Durations.min(untilRenewal, untilDue) : untilDue;
    }

    private Duration untilDue() {
        Duration interval = interval();
        boolean early = soon && pace.between().compareTo(interval) < 0;
        return lastRun.untilDue(early ? pace.between() : interval);
    }

    /**
     * Returns the interval. A long one is extended by up to an eighth, by a share that depends on the service, so that
     * daily services do not all run in the same hour.
     */
    private Duration interval() {
        Duration interval = runtime.tuning().interval(service);
        int share = Math.floorMod(service.name().hashCode(), SHARES);
        return interval.compareTo(LONG_INTERVAL) < 0
                ? interval
                : interval.plus(interval.dividedBy(8L * SHARES).multipliedBy(share));
    }

    private Instant now() {
        return time.instant().truncatedTo(ChronoUnit.MICROS);
    }

    private Duration run(Lease held) {
        mayFindWork |= soon && isLong(leases.idle());
        Instant now = now();
        Instant before = lastRun.began();
        lastRun.observe(Optional.of(now));
        if (!mayHaveUnreportedRuns(held) && !renew(held)) {
            lastRun.observe(Optional.ofNullable(before));
            return LOST_RACE_DELAY;
        }
        return call(held);
    }

    private Duration call(Lease held) {
        soon = false;
        LeaseRenewals.Renewable renewal = renewal(held);
        runtime.renewals().add(renewal);
        Duration began = time.elapsed();
        try {
            runtime.run(service);
        } finally {
            pace.ran(time.elapsed().minus(began));
            runtime.renewals().remove(renewal);
        }
        boolean fits = service.active() ? !isLong(duration()) : !mayFindWork;
        active = service.active();
        mayFindWork = false;
        if (!fits && isKeptBetweenRuns()) {
            renew(held);
        }
        return untilDueOrRenewal();
    }

    /** Returns a renewal that keeps the lease during a run. The duration of the lease depends on what the run finds. */
    private LeaseRenewals.Renewable renewal(Lease held) {
        return new LeaseRenewals.Renewable() {
            @Override
            public Duration every() {
                return duration().dividedBy(3);
            }

            @Override
            public boolean renew() {
                return held.renew(duration());
            }

            @Override
            public String toString() {
                return "lease " + held.name();
            }
        };
    }

    /** Returns whether the row already says that there may be runs that it does not record. */
    private boolean mayHaveUnreportedRuns(Lease held) {
        return held.unreportedRuns()
                && !active
                && !mayFindWork
                && held.held()
                && time.elapsed().compareTo(renewElapsed) < 0;
    }

    private boolean renew(Lease held) {
        if (!held.renew(duration(), lastRun.began(), isKeptBetweenRuns() && !active)) {
            LOG.info("another instance runs {} from now on", service.name());
            lease = null;
            return false;
        }
        renewElapsed = time.elapsed().plus(duration().dividedBy(2));
        return true;
    }

    private Duration untilFree(Row row) {
        Duration left = Duration.between(time.instant(), leases.freeAt(row));
        return Durations.min(left, leases.pollInterval());
    }

    private Duration duration() {
        return active || mayFindWork ? Leases.ACTIVE : leases.idle();
    }

    private static boolean isLong(Duration lease) {
        return lease.compareTo(Leases.ACTIVE) > 0;
    }

    private boolean isKeptBetweenRuns() {
        return runtime.tuning().interval(service).compareTo(Leases.IDLE.dividedBy(2)) <= 0;
    }

    private static boolean isPositive(Duration duration) {
        return !duration.isNegative() && !duration.isZero();
    }
}
