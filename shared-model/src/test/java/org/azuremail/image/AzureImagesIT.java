package org.azuremail.image;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.storage.Storage;
import org.azuremail.storage.azure.TestStorage;
import org.azuremail.time.ManualTime;

/** Runs the contract of the images on the test account. Each test uploads later than the previous one. */
class AzureImagesIT implements ImagesContract {

    private static final AtomicInteger YEARS = new AtomicInteger();

    private final ManualTime time =
            ManualTime.at(ManualTime.START.plus(Duration.ofDays(400L * YEARS.incrementAndGet())));

    @Override
    public Storage storage() {
        return TestStorage.shared();
    }

    @Override
    public ManualTime time() {
        return time;
    }
}
