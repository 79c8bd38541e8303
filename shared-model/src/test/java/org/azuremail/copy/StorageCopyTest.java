package org.azuremail.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.azuremail.copy.StorageCopy.CopyOptions;
import org.azuremail.copy.StorageCopy.CopyResult;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.BlobStore.OpenBlob;
import org.azuremail.storage.PatternStream;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Values;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks which data a copy contains and which it omits. */
class StorageCopyTest {

    @TempDir
    private Path directory;

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage target = new SimulatedStorage(time);

    @Test
    void everythingIsCopied() {
        SimulatedStorage source = new SimulatedStorage(time);
        copiesEverything(Ends.of("source", source), Ends.of("target", target));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void shortAndEmptyPagesLoseNothing(int pageLimit) {
        SimulatedStorage source = new SimulatedStorage(time, pageLimit);
        new Filling(source.storage()).little();
        CopyEndpoint from = Ends.of("source", source);
        CopyEndpoint to = Ends.of("target", new SimulatedStorage(time, pageLimit));

        assertThat(copy(from, to)).isInstanceOf(CopyResult.Finished.class);
        Filling.assertEqual(from, to);
    }

    @Test
    void theFileIsCopiedAndCopiedBack() {
        try (EmbeddedStorage source = EmbeddedStorage.open(directory.resolve("a"), time);
                EmbeddedStorage back = EmbeddedStorage.open(directory.resolve("b"), time)) {
            CopyEndpoint existing = Ends.of("target", target);
            copiesEverything(Ends.of(source), existing);
            assertThat(copy(existing, Ends.of(back))).isInstanceOf(CopyResult.Finished.class);
            Filling.assertEqual(existing, Ends.of(back));
            assertThat(Filling.items(back.storage().queues(), "azuremailqueue")).containsExactly("one", "three", "two");
        }
    }

    private void copiesEverything(CopyEndpoint from, CopyEndpoint to) {
        new Filling(from.storage()).little();
        new Filling(from.storage()).much();

        CopyResult result = copy(from, to);

        assertThat(result).isInstanceOf(CopyResult.Finished.class);
        CopyReport report = ((CopyResult.Finished) result).report();
        Filling.assertEqual(from, to);
        assertContentEqual(to);
        assertThat(report).isNotNull().satisfies(counted -> {
            assertThat(counted.lines())
                    .hasSize(from.names().tables().size()
                            + from.names().queues().size()
                            + from.names().containers().size());
            assertThat(counted.lines())
                    .contains(new CopyReport.Line("table", "message", 1_247, 1_247, true))
                    .contains(new CopyReport.Line("blobs", "azuremail-outbox", 130, 130, true))
                    .contains(new CopyReport.Line("queue", "azuremailjobqueue", 0, 70, true));
            assertThat(counted.toString()).containsPattern("table +message +1247 +1247 +equal");
        });
    }

    private static void assertContentEqual(CopyEndpoint to) {
        OpenBlob large = to.storage().blobs().open("azuremailimports", "large").orElseThrow();
        try (InputStream content = large.content()) {
            new PatternStream(1, large.info().size()).assertIs(content);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void processesFailuresAndHoldersOfLeasesStayBehind() {
        SimulatedStorage source = new SimulatedStorage(time);
        new Filling(source.storage()).little();

        copy(Ends.of("source", source), Ends.of("target", target));

        assertThat(target.tables()
                        .get("work", "lease", "due-messages")
                        .orElseThrow()
                        .values())
                .isEqualTo(Values.of("Epoch", 7L));
        assertThat(target.tables().get("work", "tries.azuremailqueue", "12")).isEmpty();
        assertThat(target.tables().get("work", "copy", "!to")).isEmpty();
    }

    @Test
    void delayedItemIsAwaitedOrLeftBehind() {
        SimulatedStorage source = new SimulatedStorage(time);
        new Filling(source.storage()).little();
        source.queues().send("azuremailtestqueue", "later", Duration.ofMinutes(10));
        CopyEndpoint from = Ends.of("source", source);
        CopyEndpoint to = Ends.of("target", target);

        assertThat(copy(from, to)).isEqualTo(new CopyResult.Hidden(1));
        assertThat(new StorageCopy(from, Ends.of("target", target), new SeededIds(2), time).run(CopyOptions.NONE))
                .isEqualTo(new CopyResult.Hidden(1));
        time.advance(Duration.ofMinutes(11));
        assertThat(copy(from, to)).isInstanceOf(CopyResult.Finished.class);
        assertThat(Filling.items(target.queues(), "azuremailtestqueue")).containsExactly("later");
    }

    /** Another program can put up to 64 KiB of text on a queue of an account; ours take 48 KiB, in Base64. */
    @Test
    void foreignItemThatIsTooLargeStaysBehindAndStopsNothing() {
        SimulatedStorage source = new SimulatedStorage(time);
        new Filling(source.storage()).items("azuremailtestqueue", "large", "small");
        QueueStore queues = source.queues();
        QueueStore foreign = (QueueStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {QueueStore.class}, (proxy, method, arguments) -> {
                    Object result = method.invoke(queues, arguments);
                    return method.getName().equals("receive") ? enlarged((List<?>) result) : result;
                });
        Storage seen = new Storage(source.tables(), foreign, source.blobs());

        assertThat(copy(Ends.of("source", source, seen), Ends.of("target", target)))
                .isInstanceOfSatisfying(CopyResult.Finished.class, finished -> assertThat(
                                Objects.requireNonNull(finished.report()).lines())
                        .contains(new CopyReport.Line("queue", "azuremailtestqueue", 1, 1, true)));
        assertThat(Filling.items(target.queues(), "azuremailtestqueue")).containsExactly("small");
        time.advance(Duration.ofMinutes(2));
        assertThat(Filling.items(source.queues(), "azuremailtestqueue")).containsExactly("large");
    }

    private static List<QueueItem> enlarged(List<?> items) {
        return items.stream()
                .map(QueueItem.class::cast)
                .map(item -> new QueueItem(
                        item.id(),
                        item.receipt(),
                        item.text().equals("large") ? "<".repeat(QueueStore.MAX_TEXT_BYTES + 1) : item.text(),
                        item.dequeueCount(),
                        item.insertedAt(),
                        item.visibleAt()))
                .toList();
    }

    @Test
    void hiddenItemMayBeLeftBehind() {
        SimulatedStorage source = new SimulatedStorage(time);
        new Filling(source.storage()).items("azuremailtestqueue");
        source.queues().send("azuremailtestqueue", "later", Duration.ofMinutes(10));

        CopyResult result = new StorageCopy(
                        Ends.of("source", source), Ends.of("target", target), new SeededIds(1), time)
                .run(new CopyOptions(false, true));

        assertThat(result).isInstanceOf(CopyResult.Finished.class);
        assertThat(target.queues().approximateCount("azuremailtestqueue")).isZero();
    }

    @Test
    void rowThatChangedMeanwhileIsNoticedAndCopiedByTheNextRun() {
        SimulatedStorage source = new SimulatedStorage(time);
        new Filling(source.storage()).little();
        CopyEndpoint from = Ends.of("source", source);
        source.queues().send("azuremailqueue", "later", Duration.ofMinutes(10));
        assertThat(copy(from, Ends.of("target", target))).isInstanceOf(CopyResult.Hidden.class);
        new Filling(source.storage()).write("mailinglist", "a", "!", Values.of("Text", "else"));
        time.advance(Duration.ofMinutes(11));

        CopyResult result = copy(from, Ends.of("target", target));

        assertThat(result).isInstanceOfSatisfying(CopyResult.Different.class, different -> assertThat(
                        different.report().lines().stream().filter(line -> !line.equal()))
                .extracting(CopyReport.Line::name)
                .isEqualTo(List.of("mailinglist")));
        assertThat(copy(from, Ends.of("target", target))).isInstanceOf(CopyResult.Finished.class);
        Filling.assertEqual(from, Ends.of("target", target));
    }

    private CopyResult copy(CopyEndpoint from, CopyEndpoint to) {
        return new StorageCopy(from, to, new SeededIds(1), time).run(CopyOptions.NONE);
    }
}
