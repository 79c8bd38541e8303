package org.azuremail.work;

import java.time.Duration;
import org.azuremail.storage.Storage;
import org.azuremail.storage.azure.AccountStorage;
import org.azuremail.time.Time;
import org.azuremail.work.run.BatchContract;
import org.azuremail.work.run.LockContract;
import org.azuremail.work.run.OverflowContract;
import org.azuremail.work.run.PartitionContract;
import org.azuremail.work.run.ReceiveContract;
import org.junit.jupiter.api.Nested;

/** Runs the runtime's contracts on the test account. */
class WorkContractsIT {

    private static final Storage STORAGE = AccountStorage.open();

    private abstract static class OnAccount implements WorkContract {

        @Override
        public Storage storage() {
            return STORAGE;
        }

        @Override
        public Time time() {
            return Time.system();
        }

        @Override
        public void letPass(Duration duration) {
            AccountStorage.letPass(duration);
        }
    }

    @Nested
    class Overflow extends OnAccount implements OverflowContract {}

    @Nested
    class PartitionedQueues extends OnAccount implements PartitionContract {}

    @Nested
    class Receiving extends OnAccount implements ReceiveContract {}

    @Nested
    class BatchesOfItems extends OnAccount implements BatchContract {}

    @Nested
    class LocksOfAll extends OnAccount implements LockContract {}
}
