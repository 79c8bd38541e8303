package org.azuremail.suppression;

import java.time.Duration;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;

/** Suppressions with the default limits of the service. */
public final class SuppressionsInTests {

    private SuppressionsInTests() {}

    public static Suppressions of(Storage storage, Time time) {
        return new Suppressions(storage, new SuppressionProperties(3, Duration.ofDays(30)), time);
    }
}
