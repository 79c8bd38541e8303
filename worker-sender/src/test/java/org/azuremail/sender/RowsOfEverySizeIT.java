package org.azuremail.sender;

import java.nio.file.Path;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that rows of the largest allowed size stop no message, because batches are limited by their bytes, too. */
class RowsOfEverySizeIT {

    @ParameterizedTest
    @ValueSource(ints = {99, 250})
    void aMessageToPeopleWithTwelveThousandQuotationMarksEachGoesOutAndAgain(int lot) {
        ManualTime time = ManualTime.thatSleepsByItself();
        new LargestRows(new SimulatedStorage(time, 7).storage(), time, lot, 0).goesOutAndAgain();
    }

    @Test
    void rowsOfEverySizeOnTheEmbeddedStorage(@TempDir Path directory) {
        ManualTime time = ManualTime.thatSleepsByItself();
        try (EmbeddedStorage embedded = EmbeddedStorage.open(directory, time)) {
            for (long seed = 0; seed < 4; seed++) {
                new LargestRows(embedded.storage(), time, 99, seed).goesOutAndAgain();
            }
        }
    }
}
