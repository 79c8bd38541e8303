package org.azuremail.time;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

enum SystemTime implements Time {
    INSTANCE;

    @Override
    public Instant instant() {
        return Instant.now().truncatedTo(ChronoUnit.MICROS);
    }

    @Override
    public Duration elapsed() {
        return Duration.ofNanos(System.nanoTime());
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        Thread.sleep(duration.toMillis());
    }
}
