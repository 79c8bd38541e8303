package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.azuremail.time.ManualTime;
import org.azuremail.time.Time;

/**
 * The clocks of one host, whose wall clock is up to half a minute off. Every reading is a point where another task may
 * continue.
 */
final class OwnClock implements Time {

    private static final int MOST_OFF = 30;

    /** The other faults of the clocks. */
    enum Fault {
        NONE,
        /** Sets the wall clock forward or back by up to a minute. */
        JUMPS,
        /** The host sleeps when it is frozen, so its monotonic clock does not advance meanwhile. */
        STANDS_STILL
    }

    private final ManualTime world;
    private final Baton baton;
    private final Random random;
    private final Fault fault;
    private Duration offset;

    OwnClock(ManualTime world, Baton baton, Random random, Fault fault) {
        this.world = world;
        this.baton = baton;
        this.random = random;
        this.fault = fault;
        this.offset = anyOffset();
    }

    private OwnClock(ManualTime world, Baton baton) {
        this.world = world;
        this.baton = baton;
        this.random = new Random(0);
        this.fault = Fault.NONE;
        this.offset = Duration.ZERO;
    }

    /** Returns a clock that is right. */
    static OwnClock right(ManualTime world, Baton baton) {
        return new OwnClock(world, baton);
    }

    private Duration anyOffset() {
        return Duration.ofSeconds(random.nextInt(2 * MOST_OFF + 1) - MOST_OFF);
    }

    @Override
    public Instant instant() {
        if (fault == Fault.JUMPS && !baton.still() && random.nextInt(40) == 0) {
            offset = anyOffset();
            baton.note("has its clock set");
        }
        baton.looks();
        Instant read = world.instant().plus(offset);
        baton.point(() -> "reads the clock");
        return read;
    }

    @Override
    public Duration elapsed() {
        Duration read = world.elapsed();
        if (fault == Fault.STANDS_STILL) {
            read = read.minus(baton.timeFrozen());
        }
        baton.point(() -> "reads the monotonic clock");
        return read;
    }

    @Override
    public void sleep(Duration duration) {
        baton.sleep(duration);
    }
}
