package org.azuremail.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.azuremail.storage.azurite.Azurite;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.time.Time;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the command from a data file to an account, and back to another file. */
class CopyIT {

    private static final Time TIME = Time.system();

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @Test
    void aDataFileIsCopiedToAnAccountAndBack() {
        String old = "embedded:" + directory.resolve("old");
        String back = "embedded:" + directory.resolve("back");
        fill(directory.resolve("old"));
        try (Azurite azurite = Azurite.start()) {
            Map<String, String> account = Map.of("AZUREMAIL_AZURE_CONNECTION_STRING", azurite.connectionString());

            assertThat(run(account, old, "azure")).as(said()).isZero();
            assertThat(said())
                    .containsPattern("table +mailinglist +26 +26 +equal")
                    .containsPattern("blobs +azuremail-events +2 +2 +equal")
                    .containsPattern("queue +azuremailqueue +0 +3 +moved")
                    .contains("start the service on azure:" + Azurite.ACCOUNT);
            assertThat(run(account, old, "azure")).as("once more").isZero();
            assertThat(run(account, old, back)).as("to another").isOne();
            assertThat(said()).contains("everything of this storage was copied to azure:" + Azurite.ACCOUNT);

            assertThat(run(account, "azure", back)).as(said()).isZero();
        }
        try (EmbeddedStorage first = EmbeddedStorage.open(directory.resolve("old"), TIME);
                EmbeddedStorage last = EmbeddedStorage.open(directory.resolve("back"), TIME)) {
            Filling.assertEqual(Ends.of(first), Ends.of(last));
            assertThat(Filling.items(last.storage().queues(), "azuremailqueue")).containsExactly("one", "three", "two");
            assertThat(Ends.mayStart(first.storage(), TIME)).isFalse();
            assertThat(Ends.mayStart(last.storage(), TIME)).isTrue();
        }
    }

    private static void fill(Path data) {
        try (EmbeddedStorage storage = EmbeddedStorage.open(data, TIME)) {
            Filling filling = new Filling(storage.storage());
            filling.little();
            filling.blob("azuremailimports", "large", 9L * 1024 * 1024);
        }
    }

    private int run(Map<String, String> environment, String... arguments) {
        PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
        return new CopyCommand(environment, TIME, out, out).run(arguments);
    }

    private String said() {
        return said.toString(StandardCharsets.UTF_8);
    }
}
