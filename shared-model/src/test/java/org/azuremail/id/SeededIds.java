package org.azuremail.id;

import java.util.Random;

/** Repeatable ids: the same seed gives the same ids in the same order. */
public final class SeededIds implements IdSource {

    private final Random random;

    public SeededIds(long seed) {
        this.random = new Random(seed);
    }

    @Override
    public synchronized byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }
}
