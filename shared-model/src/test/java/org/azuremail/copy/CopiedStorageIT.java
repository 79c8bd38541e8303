package org.azuremail.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import org.azuremail.app.CoreConfiguration;
import org.azuremail.copy.StorageCopy.CopyOptions;
import org.azuremail.copy.StorageCopy.CopyResult;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.Time;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Checks that no process starts on a storage that was copied. */
@ExtendWith(OutputCaptureExtension.class)
class CopiedStorageIT {

    @TempDir
    private Path data;

    @Configuration(proxyBeanMethods = false)
    @Import(CoreConfiguration.class)
    static class Process {}

    @Test
    void noProcessStartsOnAStorageThatWasCopied(CapturedOutput output) {
        startAndStop();
        CopyResult result = copy(CopyOptions.NONE);
        assertThat(result).isInstanceOfSatisfying(CopyResult.Refused.class, refused -> assertThat(refused.why())
                .contains("a process started on"));
        assertThat(copy(new CopyOptions(true, false))).isInstanceOf(CopyResult.Finished.class);

        assertThat(catchThrowable(this::startAndStop)).hasRootCauseInstanceOf(MovedStorageException.class);

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("everything of this storage was copied to there")
                .contains("Start the service on the other storage");
    }

    private CopyResult copy(CopyOptions options) {
        try (EmbeddedStorage storage = EmbeddedStorage.open(data, Time.system())) {
            SimulatedStorage target = new SimulatedStorage(Time.system());
            return new StorageCopy(Ends.of(storage), Ends.of("there", target), new SeededIds(1), Time.system())
                    .run(options);
        }
    }

    private void startAndStop() {
        new SpringApplicationBuilder(Process.class)
                .web(WebApplicationType.NONE)
                .run("--azuremail.roles=scheduler", "--azuremail.data-dir=" + data)
                .close();
    }
}
