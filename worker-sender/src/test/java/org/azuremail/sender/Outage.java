package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;

/** Makes every storage call fail for a period of driven time. */
final class Outage implements CallHook {

    private final SimulatedWorld world;
    private final Instant end;
    private final AtomicInteger refused;

    Outage(SimulatedWorld world, Duration length, AtomicInteger refused) {
        this.world = world;
        this.end = world.time.instant().plus(length);
        this.refused = refused;
    }

    @Override
    public void before(Call call) {
        if (world.time.instant().isBefore(end)) {
            refused.incrementAndGet();
            throw new StorageException(Reason.UNAVAILABLE, "out of reach", null);
        }
    }
}
