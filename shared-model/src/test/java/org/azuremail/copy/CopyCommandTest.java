package org.azuremail.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the arguments and the output of the command. */
class CopyCommandTest {

    @TempDir
    private Path directory;

    private final ManualTime time = new ManualTime();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void copyOfFilesIsReportedAndExitsWithZero() {
        fill(Duration.ZERO);
        assertThat(run(old(), next())).as(err.toString(StandardCharsets.UTF_8)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .containsPattern("source +target\n")
                .containsPattern("table +mailinglist +26 +26 +equal")
                .contains("start the service on " + next());
    }

    @Test
    void unfinishedCopyExitsWithOneAndMayBeGivenUp() {
        fill(Duration.ofHours(1));
        assertThat(run(old(), next())).isOne();
        assertThat(error()).contains("everything but 1 items").contains("--leave-hidden");
        assertThat(run(old(), next(), "--abandon")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("the service may start where it was");
        assertThat(run(old(), next())).isOne();
        assertThat(error()).contains("given up: empty it first");
        assertThat(run(old(), "embedded:" + directory.resolve("third"), "--leave-hidden"))
                .isZero();
    }

    @Test
    void wrongArgumentsExitWithTwoAndCreateNothing() {
        for (String[] wrong : new String[][] {
            {}, {old()}, {old(), next(), "--force"}, {old(), "file:x"}, {old(), "embedded:"}, {old(), next()}
        }) {
            assertThat(run(wrong)).isEqualTo(2);
        }
        assertThat(error()).contains("usage:").contains("there is no data file in");
        assertThat(directory.resolve("old")).doesNotExist();
        assertThat(Files.exists(directory.resolve("next"))).isFalse();
    }

    @Test
    void accountWithoutSettingsIsRefusedAndNamesThem() {
        fill(Duration.ZERO);
        assertThat(run(old(), "azure")).isEqualTo(2);
        assertThat(error()).contains("azuremail.azure.connection-string").contains("none is set");
    }

    private void fill(Duration delay) {
        try (EmbeddedStorage storage = EmbeddedStorage.open(directory.resolve("old"), time)) {
            new Filling(storage.storage()).little();
            storage.storage().queues().send("azuremailtestqueue", "later", delay);
        }
    }

    private String old() {
        return "embedded:" + directory.resolve("old");
    }

    private String next() {
        return "embedded:" + directory.resolve("next");
    }

    private String error() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private int run(String... arguments) {
        return new CopyCommand(
                        Map.of(),
                        time,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(arguments);
    }
}
