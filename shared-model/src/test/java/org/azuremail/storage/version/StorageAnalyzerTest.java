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

/** Checks that a whole process explains why it cannot open a storage. */
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

    @Test
    void anAccountThatIsOutOfReachIsExplainedInOneSentence(CapturedOutput output) {
        assertDoesNotStart(
                output,
                "create table work at http://127.0.0.1:9/mail: ConnectException (UNAVAILABLE)",
                "--azuremail.storage=azure",
                "--azuremail.azure.deadline=1s",
                "--azuremail.azure.try-timeout=1s",
                "--azuremail.azure.connection-string=DefaultEndpointsProtocol=http;AccountName=mail;AccountKey=a2V5;"
                        + "TableEndpoint=http://127.0.0.1:9/mail;QueueEndpoint=http://127.0.0.1:9/mail;"
                        + "BlobEndpoint=http://127.0.0.1:9/mail");

        assertThat(output)
                .contains("Check that this machine can reach the storage account")
                .doesNotContain("a2V5");
    }

    @Test
    void aConnectionStringThatCannotBeReadIsExplainedInOneSentence(CapturedOutput output) {
        assertDoesNotStart(
                output,
                "azuremail.azure.connection-string cannot be read",
                "--azuremail.storage=azure",
                "--azuremail.azure.connection-string=AccountName=mail;Accountkey a2V5");

        assertThat(output).doesNotContain("a2V5");
    }

    private static void assertDoesNotStart(Path data, CapturedOutput output, String sentence) {
        assertDoesNotStart(output, sentence, "--azuremail.data-dir=" + data);
    }

    private static void assertDoesNotStart(CapturedOutput output, String sentence, String... settings) {
        assertThatThrownBy(() -> new SpringApplicationBuilder(Process.class)
                        .web(WebApplicationType.NONE)
                        .properties("azuremail.roles=scheduler")
                        .run(settings)
                        .close())
                .hasStackTraceContaining(sentence);

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains(sentence)
                .doesNotContain("at org.azuremail");
    }
}
