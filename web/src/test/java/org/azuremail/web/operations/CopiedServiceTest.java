package org.azuremail.web.operations;

import static org.assertj.core.api.Assertions.assertThat;

import org.azuremail.copy.CopyReport;
import org.azuremail.copy.Ends;
import org.azuremail.copy.StorageCopy;
import org.azuremail.copy.StorageCopy.CopyOptions;
import org.azuremail.copy.StorageCopy.CopyResult;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/**
 * Checks that the copy command knows every table, queue and container that the service creates; it refuses unknown
 * names.
 */
@PageTest
class CopiedServiceTest {

    @Test
    void everythingThatTheServiceMadeIsCopied(@Autowired SimulatedStorage storage, @Autowired ManualTime time) {
        SimulatedStorage service = storage.copy();

        CopyResult result = new StorageCopy(
                        Ends.of("service", service),
                        Ends.of("copy", new SimulatedStorage(time)),
                        new SeededIds(1),
                        time)
                .run(new CopyOptions(true, true));

        assertThat(result).isInstanceOf(CopyResult.Finished.class);
        CopyReport report = ((CopyResult.Finished) result).report();
        assertThat(report).isNotNull();
        assertThat(report.lines())
                .extracting(CopyReport.Line::name)
                .contains("account", "apikey", "mailinglist", "message", "session", "work", "azuremailimports");
        assertThat(report.lines()).filteredOn("name", "account").singleElement().satisfies(line -> {
            assertThat(line.source())
                    .as("tests beside this one make accounts too")
                    .isPositive();
            assertThat(line.target()).isEqualTo(line.source());
            assertThat(line.equal()).isTrue();
        });
    }
}
