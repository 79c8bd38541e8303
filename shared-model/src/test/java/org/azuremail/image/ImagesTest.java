package org.azuremail.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.azuremail.id.IdSource;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.embedded.OnEmbedded;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Checks the images on both storages, and that a crash at any call loses nothing and leaves nothing for good. */
class ImagesTest {

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage simulated = new SimulatedStorage(time);

    private final Images images =
            new Images(simulated.storage(), IdSource.secure(), time, URI.create("https://lists.example.org"));

    @Nested
    class Simulated implements ImagesContract {

        /** Its pages are short, and some are empty. */
        private final Storage storage = new SimulatedStorage(time, 30).storage();

        @Override
        public Storage storage() {
            return storage;
        }

        @Override
        public ManualTime time() {
            return time;
        }
    }

    @Nested
    class Embedded extends OnEmbedded implements ImagesContract {

        Embedded() {
            super(time);
        }

        @Override
        public ManualTime time() {
            return time;
        }
    }

    /** The process dies before and after each call that changes something. */
    @Test
    void aCrashDuringAnUploadLeavesAtMostABlobThatALaterUploadDeletes() {
        Image first = ImagesContract.add(images, "first");
        for (Call.Kind kind : List.of(Call.Kind.PUT_BLOB, Call.Kind.WRITE)) {
            for (boolean before : new boolean[] {true, false}) {
                dieAt(kind, before, () -> ImagesContract.add(images, "second"));

                images.page(10, null).items().forEach(image -> assertThat(images.content(image.blob()))
                        .as("content of %s", image.alt())
                        .isPresent());
                time.advance(Duration.ofHours(2));
                ImagesContract.add(images, "third");
            }
        }
        assertThat(blobs()).as("blobs of uploads that may go on").hasSizeGreaterThan(rows().size());

        time.advance(Images.ORPHAN_AGE);
        ImagesContract.add(images, "last");
        assertThat(blobs()).containsExactlyInAnyOrderElementsOf(rows()).contains(first.blob());
    }

    @Test
    void aCrashDuringADeletionLeavesNoRowWithoutABlobAndCanBeRepeated() {
        for (Call.Kind kind : List.of(Call.Kind.WRITE, Call.Kind.DELETE_BLOB)) {
            for (boolean before : new boolean[] {true, false}) {
                Image image = ImagesContract.add(images, "doomed");
                dieAt(kind, before, () -> images.delete(image.id()));
                assertThat(blobs()).containsAll(rows());

                images.delete(image.id());
                assertThat(blobs()).isEmpty();
            }
        }
    }

    @Test
    void aDeletionThatIsNotRepeatedIsCompletedByALaterUpload() {
        Image image = ImagesContract.add(images, "doomed");
        dieAt(Call.Kind.DELETE_BLOB, true, () -> images.delete(image.id()));
        assertThat(blobs()).containsExactly(image.blob());

        time.advance(Images.ORPHAN_AGE.plusSeconds(1));
        ImagesContract.add(images, "other");

        assertThat(blobs()).doesNotContain(image.blob()).hasSize(1);
    }

    /** 190 slow connections that load one image ended a process with a small heap. */
    @Test
    void allWhoLoadAnImageShareItUntilItIsDeleted() {
        Image image = ImagesContract.add(images, "shown");
        byte[] first = images.content(image.blob()).orElseThrow();

        assertThat(images.content(image.blob()).orElseThrow()).isSameAs(first);
        time.advance(Images.SHARED_TTL);
        assertThat(images.content(image.blob()).orElseThrow()).isSameAs(first);

        Images other =
                new Images(simulated.storage(), IdSource.secure(), time, URI.create("https://lists.example.org"));
        other.delete(image.id());
        assertThat(other.content(image.blob())).isEmpty();
        time.advance(Images.SHARED_TTL);
        assertThat(images.content(image.blob())).isEmpty();
    }

    /** Several uploads in memory at once ended a process with a small heap. */
    @Test
    void anUploadIsReadWhenTheOneBeforeItIsDecoded() throws Exception {
        byte[] png = Pictures.file("png", 2, 2);
        CountDownLatch firstReads = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicBoolean secondReads = new AtomicBoolean();
        Thread first = new Thread(() -> images.add(
                () -> {
                    firstReads.countDown();
                    await(goOn);
                    return png;
                },
                "a.png",
                "first",
                "ann"));
        Thread second = new Thread(() -> images.add(
                () -> {
                    secondReads.set(true);
                    return png;
                },
                "b.png",
                "second",
                "ben"));
        first.start();
        firstReads.await();
        second.start();

        Awaitility.await().until(() -> second.getState() == Thread.State.WAITING || secondReads.get());
        assertThat(secondReads).isFalse();

        goOn.countDown();
        first.join();
        second.join();
        assertThat(rows()).hasSize(2);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void thereIsALimit() {
        Image one = ImagesContract.add(images, "one");
        Values values = simulated
                .tables()
                .get(Images.TABLE, "image", one.id())
                .orElseThrow()
                .values();
        for (int i = 1; i < Images.MAX; i++) {
            String blob = String.format("%022d.png", i);
            simulated.tables().write(Images.TABLE, "image", Write.insert("9999999999999-" + blob, values));
        }

        assertThat(images.add(() -> Pictures.file("png", 2, 2), "a.png", "more", "ann"))
                .isEqualTo(new Images.Added.Refused(ImageRefusal.FULL));
        images.delete(one.id());
        ImagesContract.add(images, "more");
    }

    @Test
    void theNewestImagesAreOneCallAndNoNameOfAFileHarms() {
        byte[] png = Pictures.file("png", 2, 2);
        String name = "C:\\photos\\\u202Egnp.<b>\u0007" + "x".repeat(200);
        images.add(() -> png, name, "first", "ann");
        simulated.resetCounters();

        Image image = images.page(12, null).items().get(0);

        assertThat(simulated.calls()).isEqualTo(1);
        assertThat(image.name()).startsWith("gnp.<b>x").hasSize(Images.MAX_NAME);
    }

    private void dieAt(Call.Kind kind, boolean before, Runnable action) {
        simulated.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (before && call.kind() == kind) {
                    throw new ProcessDied();
                }
            }

            @Override
            public void after(Call call) {
                if (!before && call.kind() == kind) {
                    throw new ProcessDied();
                }
            }
        });
        assertThatThrownBy(action::run).isInstanceOf(ProcessDied.class);
        simulated.hook(CallHook.NONE);
    }

    private List<String> blobs() {
        return simulated.blobs().stream(Images.CONTAINER, "")
                .map(blob -> blob.name())
                .toList();
    }

    private List<String> rows() {
        return Rows.all(simulated.tables(), Images.TABLE, KeyRange.partition("image")).stream()
                .map(row -> Image.blob(row.rowKey()))
                .toList();
    }
}
