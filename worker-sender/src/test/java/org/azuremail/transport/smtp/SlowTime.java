package org.azuremail.transport.smtp;

import java.time.Duration;
import java.time.Instant;
import org.azuremail.time.ManualTime;
import org.azuremail.time.Time;

/** A clock that advances by a fixed time at each reading. */
final class SlowTime implements Time {

    private final ManualTime time = new ManualTime();
    private final Duration aLook;

    SlowTime(Duration aLook) {
        this.aLook = aLook;
    }

    @Override
    public Instant instant() {
        return time.instant();
    }

    @Override
    public Duration elapsed() {
        time.advance(aLook);
        return time.elapsed();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        time.sleep(duration);
    }
}
