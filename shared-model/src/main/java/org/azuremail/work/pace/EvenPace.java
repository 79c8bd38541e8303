package org.azuremail.work.pace;

import java.time.Duration;

/** A pace of equal rests that has ended after a number of them. */
public final class EvenPace implements Pace {

    private final Duration rest;
    private final int rests;
    private int rested;

    public EvenPace(Duration rest, int rests) {
        this.rest = rest;
        this.rests = rests;
    }

    @Override
    public Duration next() {
        rested = Math.min(rested, Integer.MAX_VALUE - 1) + 1;
        return rest;
    }

    @Override
    public boolean ended() {
        return rested > rests;
    }

    @Override
    public void reset() {
        rested = 0;
    }
}
