package org.azuremail.work;

import java.time.Duration;
import java.util.Arrays;
import org.azuremail.storage.Storage;
import org.azuremail.storage.simulated.EachCall;

/** Hides items for a second at most, for storages whose clock cannot be driven. */
public final class HastyQueues {

    public static final Duration LONGEST = Duration.ofSeconds(1);

    private HastyQueues() {}

    public static Storage of(Storage storage) {
        EachCall hasty = (method, arguments, call) -> {
            Arrays.setAll(arguments, i -> arguments[i] instanceof Duration given ? atMost(given) : arguments[i]);
            return call.done();
        };
        return hasty.of(storage);
    }

    private static Duration atMost(Duration duration) {
        return duration.compareTo(LONGEST) < 0 ? duration : LONGEST;
    }
}
