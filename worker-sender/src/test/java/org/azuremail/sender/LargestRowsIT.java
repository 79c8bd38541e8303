package org.azuremail.sender;

import org.azuremail.storage.azure.TestStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs {@link RowsOfEverySizeIT} on the account for tests. */
class LargestRowsIT {

    @ParameterizedTest
    @ValueSource(longs = {100, 101})
    void rowsOfEverySizeOnAzure(long seed) {
        ManualTime time = ManualTime.thatSleepsByItself();
        new LargestRows(TestStorage.shared(), time, 99, seed).goesOutAndAgain();
    }
}
