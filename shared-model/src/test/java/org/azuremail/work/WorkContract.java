package org.azuremail.work;

import java.time.Duration;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.azuremail.work.run.WorkBench;

/** The storage and the runtime that these contracts test; they hold on every storage. */
public interface WorkContract {

    /** The storage under test; other tests may use it as well. */
    Storage storage();

    /** The clock of the storage. */
    Time time();

    /** Lets so much time pass on the storage's clock before it returns; a few seconds at most. */
    void letPass(Duration duration);

    default WorkBench bench() {
        return new WorkBench(storage(), time());
    }
}
