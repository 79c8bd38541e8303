package org.azuremail.work.lease;

import java.util.Set;
import java.util.function.Supplier;

/** Holders of a test that decides which of them have ended. */
public record WatchedHolders(Supplier<String> names, Set<String> gone) implements Holders {

    @Override
    public String next() {
        return names.get();
    }

    @Override
    public boolean isDead(String holder) {
        return gone.contains(holder);
    }
}
