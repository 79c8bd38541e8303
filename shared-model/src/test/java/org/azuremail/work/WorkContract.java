package org.azuremail.work;

import java.time.Duration;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.azuremail.work.run.WorkBench;

/** The storage and the runtime under test in these contracts, which hold on every storage. */
public interface WorkContract {

    /** Returns the storage under test, which other tests may share. */
    Storage storage();

    /** Returns the clock of the storage. */
    Time time();

    /** Waits until this time, at most a few seconds, has passed on the storage's clock. */
    void letPass(Duration duration);

    default WorkBench bench() {
        return new WorkBench(storage(), time());
    }
}
