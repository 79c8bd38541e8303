package org.azuremail.storage.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.azuremail.app.CoreConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** A whole process meets a storage that it cannot open. */
@ExtendWith(OutputCaptureExtension.class)
class StorageAnalyzerTest {

    @TempDir
    private Path parent;

    @Configuration(proxyBeanMethods = false)
    @Import(CoreConfiguration.class)
    static class Process {}

    @Test
    void aDataDirectoryThatIsAFileIsExplainedInOneSentence(CapturedOutput output) throws IOException {
        Path file = Files.writeString(parent.resolve("file"), "x");

        assertDoesNotStart(file, output, "the data directory " + file + " cannot be created or written");
    }

    @Test
    void aDataFileThatIsNoneIsExplainedInOneSentence(CapturedOutput output) throws IOException {
        Path file = Files.writeString(parent.resolve("azuremail.db"), "garbage ".repeat(1_000));

        assertDoesNotStart(parent, output, file + " is damaged or not a data file of AzureMail: restore a backup");
    }

    private static void assertDoesNotStart(Path data, CapturedOutput output, String sentence) {
        assertThatThrownBy(() -> new SpringApplicationBuilder(Process.class)
                        .web(WebApplicationType.NONE)
                        .run("--azuremail.roles=scheduler", "--azuremail.data-dir=" + data)
                        .close())
                .hasStackTraceContaining(sentence);

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains(sentence)
                .doesNotContain("at org.azuremail");
    }
}
