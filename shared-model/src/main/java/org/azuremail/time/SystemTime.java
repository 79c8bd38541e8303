package org.azuremail.time;

import java.time.Duration;
import java.time.Instant;

enum SystemTime implements Time {
    INSTANCE;

    @Override
    public Instant instant() {
        return Instant.now();
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
