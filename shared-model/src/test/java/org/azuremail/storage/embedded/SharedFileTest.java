package org.azuremail.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.Together;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.time.Time;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks several processes, and several instances in one process, on the same file. */
class SharedFileTest {

    private static final int TIMES = 150;

    @TempDir
    private Path directory;

    @Test
    void noUpdateOfAnotherProcessIsLost() throws Exception {
        try (EmbeddedStorage storage = open()) {
            storage.storage().tables().createTable("counter");
            storage.storage().tables().write("counter", "p", Write.insert("r", Values.of("N", 0L)));
            try (ChildProcess child =
                    ChildProcess.start(CountingProcess.class, "64m", directory.toString(), Integer.toString(TIMES))) {
                Together.run(2, thread -> () -> {
                    CountingProcess.count(storage, TIMES);
                    return null;
                });
                assertThat(child.exitCode()).isZero();
            }
            assertThat(storage.storage()
                            .tables()
                            .get("counter", "p", "r")
                            .orElseThrow()
                            .values()
                            .number("N", -1))
                    .isEqualTo(3L * TIMES);
        }
    }

    @Test
    void twoInstancesNeverGiveTheSameEtag() throws Exception {
        try (EmbeddedStorage one = open();
                EmbeddedStorage other = open()) {
            one.storage().tables().createTable("etags");
            List<List<String>> etags = Together.run(2, thread -> () -> {
                EmbeddedStorage storage = thread == 0 ? one : other;
                List<String> own = new ArrayList<>();
                for (int i = 0; i < 200; i++) {
                    WriteResult result =
                            storage.storage().tables().write("etags", "p" + thread, Write.upsert("r", Values.none()));
                    own.add(((WriteResult.Written) result).etag());
                }
                return own;
            });
            Set<String> all = new HashSet<>();
            etags.forEach(all::addAll);
            assertThat(all).hasSize(400);
        }
    }

    @Test
    void changesOfOneInstanceAreVisibleToTheOtherAtOnce() {
        try (EmbeddedStorage one = open();
                EmbeddedStorage other = open()) {
            one.storage().tables().createTable("shared");
            one.storage().tables().write("shared", "p", Write.insert("r", Values.none()));
            assertThat(other.storage().tables().get("shared", "p", "r")).isPresent();
            one.storage().queues().createQueue("shared");
            one.storage().queues().send("shared", "x");
            QueueItem item = other.storage()
                    .queues()
                    .receive("shared", 1, Duration.ofMinutes(1))
                    .get(0);
            assertThat(one.storage().queues().receive("shared", 1, Duration.ofMinutes(1)))
                    .isEmpty();
            assertThat(one.storage().queues().delete("shared", item)).isTrue();
            assertThat(other.storage().queues().approximateCount("shared")).isZero();
        }
    }

    private EmbeddedStorage open() {
        return EmbeddedStorage.open(directory, Time.system());
    }
}
