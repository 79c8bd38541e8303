package org.azuremail.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;
import org.azuremail.time.Time;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that every acknowledged write survives a SIGKILL, and that no write is applied partly. */
class KillIT {

    private static final int KILLS = 6;

    @TempDir
    private Path directory;

    @Test
    void everyAcknowledgedWriteSurvivesSigkill() throws Exception {
        Random random = new Random(20261121);
        List<String> acknowledged = new ArrayList<>();
        for (int kill = 0; kill < KILLS; kill++) {
            try (ChildProcess child =
                    ChildProcess.start(AcknowledgingWriter.class, "128m", directory.toString(), "run" + kill)) {
                List<String> lines = child.lines(50 + random.nextInt(1_000));
                assertThat(lines).hasSizeGreaterThanOrEqualTo(50);
                lines.addAll(child.kill());
                assertThatEverythingIsThere(lines);
                acknowledged.addAll(lines);
            }
        }
        assertThatEverythingIsThere(acknowledged);
    }

    private void assertThatEverythingIsThere(List<String> acknowledged) {
        try (EmbeddedStorage storage = EmbeddedStorage.open(directory, Time.system())) {
            Set<String> items = items(storage.storage().queues());
            for (String line : acknowledged) {
                String[] words = line.split(" ");
                switch (words[0]) {
                    case "row" -> assertThatBatchIsThere(storage, words[1], words[2]);
                    case "item" -> assertThat(items).contains(words[1]);
                    default ->
                        assertThat(new String(
                                        storage.storage()
                                                .blobs()
                                                .read("killed", words[1])
                                                .orElseThrow(),
                                        StandardCharsets.UTF_8))
                                .hasSize(words[1].length() * 100_000)
                                .startsWith(words[1]);
                }
            }
        }
    }

    private static void assertThatBatchIsThere(EmbeddedStorage storage, String partition, String key) {
        assertThat(storage.storage().tables().get("killed", partition, key))
                .as(key)
                .isPresent();
        assertThat(storage.storage().tables().get("killed", partition, key + "!"))
                .as(key)
                .isPresent();
    }

    /** Returns all items, which are received for a moment and made visible again. */
    private static Set<String> items(QueueStore queues) {
        List<QueueItem> all = new ArrayList<>();
        List<QueueItem> some;
        do {
            some = queues.receive("killed", QueueStore.MAX_RECEIVE, Duration.ofMinutes(10));
            all.addAll(some);
        } while (!some.isEmpty());
        all.forEach(item -> queues.renew("killed", item, Duration.ZERO));
        Set<String> texts = new HashSet<>();
        all.forEach(item -> texts.add(item.text()));
        return texts;
    }
}
