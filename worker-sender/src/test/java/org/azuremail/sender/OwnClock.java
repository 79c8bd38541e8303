package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import org.azuremail.time.ManualTime;
import org.azuremail.time.Time;

/** The clocks of one host: off by so much, and every reading of them is a point where somebody else may go on. */
record OwnClock(ManualTime world, Duration offset, Baton baton) implements Time {

    @Override
    public Instant instant() {
        Instant read = world.instant().plus(offset);
        baton.point(() -> "reads the clock");
        return read;
    }

    @Override
    public Duration elapsed() {
        Duration read = world.elapsed();
        baton.point(() -> "reads the monotonic clock");
        return read;
    }

    @Override
    public void sleep(Duration duration) {
        baton.sleep(duration);
    }
}
