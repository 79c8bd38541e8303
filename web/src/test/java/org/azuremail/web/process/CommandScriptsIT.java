package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.time.Time;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the scripts for operators with a packaged jar, in the bare environment that cron gives them. */
@Timeout(120)
class CommandScriptsIT {

    /** The shell creates names outside ASCII, because the encoding of names in this process depends on its locale. */
    private static final String MOVE_DATA = "set -e; data=$(printf 'd\\303\\244ta of us'); mv data \"$data\"; ";

    @TempDir
    private Path directory;

    @BeforeEach
    void aDataDirectory() {
        try (EmbeddedStorage storage = EmbeddedStorage.open(directory.resolve("data"), Time.system())) {
            storage.storage().tables().createTable("message");
        }
    }

    @Test
    void aBackupIsMadeOfADirectoryWithSpacesAndCharactersOutsideAscii() throws Exception {
        assertThat(run(MOVE_DATA
                        + "sh \"$INFRA/backup.sh\" \"$JAR\" \"$data\" \"$data.db\"; mv \"$data.db\" backup.db"))
                .startsWith("0 backup written");
        assertThat(directory.resolve("backup.db")).isNotEmptyFile();
    }

    @Test
    void aDirectoryWithSpacesAndCharactersOutsideAsciiIsCopied() throws Exception {
        assertThat(run(MOVE_DATA
                        + "sh \"$INFRA/copy.sh\" \"$JAR\" embedded:\"$data\" embedded:\"$data\"-new --stopped"))
                .startsWith("0 ")
                .contains("everything was copied");
    }

    /** Returns the exit code and the output. */
    private String run(String script) throws IOException, InterruptedException {
        ProcessBuilder shell = new ProcessBuilder(List.of("sh", "-c", script))
                .directory(directory.toFile())
                .redirectErrorStream(true);
        Map<String, String> environment = shell.environment();
        environment.clear();
        environment.putAll(Map.of(
                "PATH", Path.of(System.getProperty("java.home"), "bin") + ":/usr/bin:/bin",
                "INFRA", Path.of("../infra").toRealPath().toString(),
                "JAR", UnpackedJar.packed("worker-sender").toRealPath().toString()));
        Process process = shell.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() + " " + output;
    }
}
