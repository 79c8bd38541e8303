package org.azuremail.work;

import java.nio.file.Path;
import java.time.Duration;
import org.azuremail.storage.Storage;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.time.Time;
import org.azuremail.work.run.BatchContract;
import org.azuremail.work.run.HandlingContract;
import org.azuremail.work.run.LeasesContract;
import org.azuremail.work.run.LockContract;
import org.azuremail.work.run.OverflowContract;
import org.azuremail.work.run.PartitionContract;
import org.azuremail.work.run.ReceiveContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** Runs the runtime's contracts on the simulated and on the embedded storage. */
class WorkContractsTest {

    private static final ManualTime TIME = new ManualTime();

    @TempDir
    private static Path directory;

    private static EmbeddedStorage embedded;

    @BeforeAll
    static void open() {
        embedded = EmbeddedStorage.open(directory, TIME);
    }

    @AfterAll
    static void close() {
        embedded.close();
    }

    private abstract static class Simulated implements WorkContract {

        private final Storage storage = new SimulatedStorage(TIME).storage();

        @Override
        public Storage storage() {
            return storage;
        }

        @Override
        public Time time() {
            return TIME;
        }

        @Override
        public void letPass(Duration duration) {
            TIME.advance(duration);
        }
    }

    private abstract static class Embedded implements WorkContract {

        @Override
        public Storage storage() {
            return embedded.storage();
        }

        @Override
        public Time time() {
            return TIME;
        }

        @Override
        public void letPass(Duration duration) {
            TIME.advance(duration);
        }
    }

    @Nested
    class SimulatedOverflow extends Simulated implements OverflowContract {}

    @Nested
    class EmbeddedOverflow extends Embedded implements OverflowContract {}

    @Nested
    class SimulatedPartitions extends Simulated implements PartitionContract {}

    @Nested
    class EmbeddedPartitions extends Embedded implements PartitionContract {}

    @Nested
    class SimulatedBatches extends Simulated implements BatchContract {}

    @Nested
    class EmbeddedBatches extends Embedded implements BatchContract {}

    @Nested
    class SimulatedLocks extends Simulated implements LockContract {}

    @Nested
    class EmbeddedLocks extends Embedded implements LockContract {}

    @Nested
    class SimulatedReceives extends Simulated implements ReceiveContract {}

    @Nested
    class EmbeddedReceives extends Embedded implements ReceiveContract {}

    @Nested
    class SimulatedHandling extends Simulated implements HandlingContract {}

    @Nested
    class EmbeddedHandling extends Embedded implements HandlingContract {}

    @Nested
    class SimulatedLeases extends Simulated implements LeasesContract {}

    @Nested
    class EmbeddedLeases extends Embedded implements LeasesContract {}
}
