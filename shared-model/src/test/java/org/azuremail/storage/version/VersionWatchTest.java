package org.azuremail.storage.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.app.CoreConfiguration;
import org.azuremail.storage.Storage;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
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

/** Checks that a program which is older than the storage does not start, and that a running process of it ends. */
@ExtendWith(OutputCaptureExtension.class)
class VersionWatchTest {

    private static final List<UpgradeStep> NEWER = List.of(storage -> {}, storage -> {}, storage -> {});

    @TempDir
    private Path data;

    private final ManualTime time = new ManualTime();
    private final Storage storage = new SimulatedStorage(time).storage();
    private final AtomicInteger ended = new AtomicInteger();
    private final VersionWatch watch = new VersionWatch(new StoreVersion(storage), time, ended::incrementAndGet);

    @Configuration(proxyBeanMethods = false)
    @Import(CoreConfiguration.class)
    static class Process {}

    @Test
    void runningProcessNoticesAnUpgradeWithinAMinuteAndEndsOnce(CapturedOutput output) {
        new StoreVersion(storage).upgrade();
        assertThat(watch.isOpen(StoreGate.BUSY)).isTrue();

        new StoreVersion(storage, NEWER).upgrade();
        time.advance(StoreGate.BUSY);

        assertThat(watch.isOpen(StoreGate.BUSY)).isFalse();
        assertThat(watch.isOpen(StoreGate.BUSY)).isFalse();
        assertThat(ended).hasValue(1);
        assertThat(output).containsOnlyOnce("A newer version of AzureMail");
    }

    @Test
    void idleProcessNoticesAnUpgradeWhenANewerOneStarts() {
        assertThat(watch.isOpen(StoreGate.IDLE)).isTrue();
        new StoreVersion(storage, NEWER).upgrade();
        assertThat(watch.isOpen(StoreGate.IDLE)).isTrue();

        watch.forget();

        assertThat(watch.isOpen(StoreGate.IDLE)).isFalse();
    }

    @Test
    void storageIsReadNoMoreOftenThanTheCallerWants() {
        AtomicInteger reads = new AtomicInteger();
        SimulatedStorage counted = new SimulatedStorage(time);
        counted.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.GET) {
                    reads.incrementAndGet();
                }
            }
        });
        counted.storage().tables().createTable("work");
        VersionWatch patient = new VersionWatch(new StoreVersion(counted.storage()), time, () -> {});
        int before = reads.get();
        for (int i = 0; i < 1_000; i++) {
            assertThat(patient.isOpen(StoreGate.BUSY)).isTrue();
        }
        assertThat(reads.get() - before).isEqualTo(1);
    }

    @Test
    void olderProgramDoesNotStartOnANewerStorageAndExplainsItInOneSentence(CapturedOutput output) {
        try (EmbeddedStorage embedded = EmbeddedStorage.open(data, Time.system())) {
            new StoreVersion(embedded.storage(), NEWER).upgrade();
        }

        Throwable refusal = catchThrowable(() -> new SpringApplicationBuilder(Process.class)
                .web(WebApplicationType.NONE)
                .run("--azuremail.roles=scheduler", "--azuremail.data-dir=" + data)
                .close());

        assertThat(refusal).hasRootCauseInstanceOf(NewerStoreException.class);
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("A newer version of AzureMail has upgraded this storage to format 4")
                .contains("start the newer version, or restore a backup")
                .doesNotContain("at org.azuremail");
    }
}
