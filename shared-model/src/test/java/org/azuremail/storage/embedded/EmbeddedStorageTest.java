package org.azuremail.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Together;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks opening, closing and the nature of the file. */
class EmbeddedStorageTest {

    @TempDir
    private Path directory;

    private final ManualTime time = new ManualTime();

    @Test
    void everythingIsThereAfterClosingAndOpening() {
        try (EmbeddedStorage storage = open()) {
            storage.storage().tables().createTable("kept");
            storage.storage().tables().write("kept", "p", Write.insert("r", Values.of("N", 1)));
            storage.storage().queues().createQueue("kept");
            storage.storage().queues().send("kept", "item");
            storage.storage().blobs().createContainer("kept");
            storage.storage().blobs().put("kept", "b", "blob".getBytes(StandardCharsets.UTF_8), BlobStore.ALWAYS);
        }
        try (EmbeddedStorage storage = open()) {
            assertThat(storage.storage().tables().get("kept", "p", "r")).isPresent();
            assertThat(storage.storage().queues().peek("kept", 1)).hasSize(1);
            assertThat(storage.storage().blobs().read("kept", "b")).isPresent();
        }
    }

    @Test
    void aContinuationOfAnotherRangeShowsNothing() {
        try (EmbeddedStorage storage = open()) {
            TableStore tables = storage.storage().tables();
            tables.createTable("paged");
            for (String partition : List.of("p", "q")) {
                for (String row : List.of("a1", "b1", "b2", "b3")) {
                    tables.write("paged", partition, Write.insert(row, Values.none()));
                }
            }
            KeyRange range = KeyRange.prefix("q", "b");
            String ofWhole =
                    tables.query("paged", KeyRange.partition("q"), 1, null).continuation();
            String ofOther =
                    tables.query("paged", KeyRange.prefix("p", "b"), 1, null).continuation();
            String own = tables.query("paged", range, 1, null).continuation();

            assertThat(tables.query("paged", range, 9, own).items())
                    .extracting(Row::rowKey)
                    .containsExactly("b2", "b3");
            for (String foreign : Arrays.asList(ofWhole, ofOther, "q", "q b1 b2", "")) {
                assertThatThrownBy(() -> tables.query("paged", range, 9, foreign))
                        .as(foreign)
                        .isInstanceOf(IllegalArgumentException.class);
            }
            assertThatThrownBy(() -> tables.query("paged", KeyRange.partitions("q", null), 9, ofOther))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void fileIsDurableAndReturnsFreePages() throws SQLException {
        try (EmbeddedStorage storage = open();
                Session writing = DataFile.in(directory).openWriter(Schema.CURRENT)) {
            assertThat(storage.path()).exists();
            assertThat(writing.number(-1, "PRAGMA synchronous")).as("FULL").isEqualTo(2);
            assertThat(writing.number(-1, "PRAGMA auto_vacuum"))
                    .as("INCREMENTAL")
                    .isEqualTo(2);
            assertThat(writing.exists("SELECT 1 FROM pragma_journal_mode WHERE journal_mode = 'wal'"))
                    .isTrue();
        }
    }

    @Test
    void onlyTheOwnerMayReadACreatedDirectory() throws IOException {
        Path made = directory.resolve("a").resolve("b");
        EmbeddedStorage.open(made, time).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                .isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(made)) {
            assertThat(files.filter(Files::isRegularFile).toList()).isNotEmpty().allSatisfy(file -> assertThat(
                            PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .as(file.toString())
                    .isEqualTo("rw-------"));
        }
    }

    @Test
    void onlyTheOwnerMayReadOlderFilesAfterTheNextStart() throws IOException {
        EmbeddedStorage.open(directory, time).close();
        Path file = directory.resolve("azuremail.db");
        List<Path> open = List.of(file, directory.resolve("azuremail.db-wal"), directory.resolve("azuremail.db-shm"));
        EmbeddedStorage before = EmbeddedStorage.open(directory, time);
        for (Path path : open) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw-r--"));
        }

        try (EmbeddedStorage next = EmbeddedStorage.open(directory, time)) {
            assertThat(next.path()).isEqualTo(file);
            assertThat(open)
                    .allSatisfy(path -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                            .as(path.toString())
                            .isEqualTo("rw-------"));
        }
        before.close();
    }

    @Test
    void closingDrainsAndEveryAcknowledgedWriteIsThere() throws Exception {
        EmbeddedStorage storage = open();
        storage.storage().tables().createTable("drained");
        List<Integer> acknowledged = Together.run(5, thread -> () -> {
            if (thread == 4) {
                Rows.all(storage.storage().tables(), "drained", KeyRange.everything());
                storage.close();
                return 0;
            }
            return writeUntilClosed(storage, "p" + thread);
        });
        try (EmbeddedStorage again = open()) {
            for (int thread = 0; thread < 4; thread++) {
                assertThat(Rows.all(again.storage().tables(), "drained", KeyRange.partition("p" + thread)))
                        .hasSize(acknowledged.get(thread));
            }
        }
    }

    private static int writeUntilClosed(EmbeddedStorage storage, String partition) {
        int written = 0;
        try {
            while (true) {
                storage.storage().tables().write("drained", partition, Write.insert("r" + written, Values.none()));
                written++;
            }
        } catch (StorageException e) {
            assertThat(e.reason()).isEqualTo(Reason.UNAVAILABLE);
            return written;
        }
    }

    @Test
    void callsToAClosedStorageThrow() {
        EmbeddedStorage storage = open();
        storage.storage().tables().createTable("closed");
        storage.close();
        storage.close();
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> storage.storage().tables().get("closed", "p", "r"))
                .withMessageContaining("closed");
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> storage.storage().tables().write("closed", "p", Write.delete("r")))
                .withMessageContaining("closed");
    }

    @Test
    void pageOfLargeRowsEndsEarlyAndContinues() {
        try (EmbeddedStorage storage = open()) {
            storage.storage().tables().createTable("large");
            Values.Builder values = Values.builder();
            IntStream.range(0, 14).forEach(i -> values.put("P" + i, new byte[Values.MAX_BINARY_LENGTH]));
            List<String> keys = IntStream.range(10, 25).mapToObj(i -> "r" + i).toList();
            keys.forEach(key -> storage.storage().tables().write("large", "p", Write.insert(key, values.build())));
            Page<Row> page = storage.storage().tables().query("large", KeyRange.partition("p"), 1000, null);
            assertThat(page.items()).hasSizeLessThan(8);
            assertThat(Rows.stream(storage.storage().tables(), "large", KeyRange.partition("p"))
                            .map(Row::rowKey))
                    .isEqualTo(keys);
        }
    }

    @Test
    void oldEtagFailsEvenAfterAnOlderCopyOfTheFileIsPutBack() throws IOException {
        Path copy = directory.resolve("copy.db");
        try (EmbeddedStorage storage = open()) {
            storage.storage().tables().createTable("restored");
            storage.storage().tables().write("restored", "p", Write.insert("r", Values.of("N", 0)));
            storage.backup(copy);
        }
        Row later;
        try (EmbeddedStorage storage = open()) {
            time.advance(Duration.ofSeconds(1));
            storage.storage().tables().write("restored", "p", Write.upsert("r", Values.of("N", 1)));
            later = storage.storage().tables().get("restored", "p", "r").orElseThrow();
        }
        Files.move(copy, directory.resolve(DataFile.NAME), StandardCopyOption.REPLACE_EXISTING);
        time.advance(Duration.ofMinutes(1));
        try (EmbeddedStorage storage = open()) {
            for (int i = 0; i < 5; i++) {
                storage.storage().tables().write("restored", "p", Write.upsert("r", Values.of("N", 2)));
            }
            assertThat(storage.storage().tables().write("restored", "p", Write.replace(later, Values.none())))
                    .isEqualTo(new WriteResult.Stale());
        }
    }

    @Test
    void dataDirectoryThatCannotBeCreatedIsAClearError() throws IOException {
        Path occupied = Files.writeString(directory.resolve("occupied"), "a file");
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> EmbeddedStorage.open(occupied, time))
                .withMessageContaining(occupied.toString())
                .withMessageContaining("azuremail.data-dir")
                .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.DENIED));
    }

    @Test
    void fileThatIsNotADatabaseIsAClearError() throws IOException {
        Files.writeString(directory.resolve(DataFile.NAME), "this is a letter to my aunt. ".repeat(100));
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(this::open)
                .withMessageContaining("azuremail.data-dir")
                .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.CORRUPT));
        assertThat(directory.resolve(DataFile.NAME)).content().startsWith("this is a letter");
    }

    @Test
    void databaseOfAnotherProgramIsLeftAlone() throws SQLException {
        Path path = directory.resolve(DataFile.NAME);
        try (Session other = DataFile.open(path)) {
            other.execute("CREATE TABLE recipes (name TEXT)");
        }
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(this::open)
                .withMessageContaining("another program")
                .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.CORRUPT));
        try (Session other = DataFile.open(path)) {
            assertThat(other.number(-1, "SELECT count(*) FROM sqlite_schema")).isEqualTo(1);
        }
    }

    private EmbeddedStorage open() {
        return EmbeddedStorage.open(directory, time);
    }
}
