package org.azuremail.sender;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * The faults of a provider, each in one of twenty hand-overs. Counts how often it accepted an email to each address.
 */
final class FaultyTaker {

    /** The faults of one hand-over. */
    enum Fault {
        NONE,
        LATER,
        LATER_AT_A_TIME,
        FAILS,
        HANGS_UP_BEFORE,
        HANGS_UP_AFTER,
        STALLS
    }

    private static final int ONE_IN = 20;

    private final boolean flawless;
    private final Random random;
    private final Map<Fault, Integer> happened = new EnumMap<>(Fault.class);
    private final Map<String, Integer> times = new HashMap<>();

    FaultyTaker(long seed) {
        this(seed, false);
    }

    private FaultyTaker(long seed, boolean flawless) {
        this.random = new Random(seed);
        this.flawless = flawless;
    }

    /** Returns a transport that accepts every email. */
    static FaultyTaker flawless() {
        return new FaultyTaker(0, true);
    }

    synchronized Fault next() {
        int chance = random.nextInt(ONE_IN);
        boolean wrong = !flawless && chance < Fault.values().length - 1;
        Fault fault = wrong ? Fault.values()[chance + 1] : Fault.NONE;
        happened.merge(fault, 1, Integer::sum);
        return fault;
    }

    synchronized void took(String recipient) {
        times.merge(recipient, 1, Integer::sum);
    }

    synchronized Map<Fault, Integer> happened() {
        return Map.copyOf(happened);
    }

    synchronized int times(String recipient) {
        return times.getOrDefault(recipient, 0);
    }
}
