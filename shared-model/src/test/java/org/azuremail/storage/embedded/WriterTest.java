package org.azuremail.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.WriteResult;
import org.azuremail.storage.embedded.Writer.Work;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks operations that share a commit. */
class WriterTest {

    @TempDir
    private Path directory;

    private final ExecutorService callers = Executors.newCachedThreadPool();
    private DataFile file;
    private Writer writer;

    @BeforeEach
    void open() {
        file = DataFile.in(directory);
        writer = new Writer(file, Schema.CURRENT, new ManualTime());
    }

    @AfterEach
    void close() {
        callers.shutdownNow();
        writer.close();
    }

    @Test
    void refusedOperationDoesNotUndoItsNeighbours() throws Exception {
        List<CompletableFuture<Object>> answers = together(
                insert("first", "kept"),
                (session, sequence) -> {
                    insert("second", "").on(session, sequence);
                    return new WriteResult.Stale();
                },
                (session, sequence) -> {
                    insert("third", "").on(session, sequence);
                    throw new IllegalStateException("broken");
                },
                insert("fourth", "kept"));
        assertThat(answers.get(0).join()).isEqualTo("kept");
        assertThat(answers.get(1).join()).isEqualTo(new WriteResult.Stale());
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> answers.get(2).join())
                .havingRootCause()
                .withMessage("broken");
        assertThat(answers.get(3).join()).isEqualTo("kept");
        assertThat(stored()).containsExactlyInAnyOrder("first", "fourth");
    }

    @Test
    void failedCommitIsUnknownForItsWholeGroupAndTheNextOneWorks() throws Exception {
        List<CompletableFuture<Object>> answers = together(
                insert("first", "kept"),
                (session, sequence) -> {
                    session.update("ROLLBACK");
                    return "the transaction is gone";
                },
                insert("third", "kept"));
        for (CompletableFuture<Object> answer : answers) {
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(answer::join)
                    .withCauseInstanceOf(StorageException.class)
                    .satisfies(e -> assertThat(((StorageException) e.getCause()).reason())
                            .isEqualTo(Reason.UNKNOWN));
        }
        assertThat(writer.write("next", insert("next", "kept"))).isEqualTo("kept");
        assertThat(stored()).containsExactly("next");
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void errorWhileTheFileIsReopenedDoesNotEndTheWriter() {
        AtomicBoolean broken = new AtomicBoolean();
        Schema schema = new Schema(new AbstractList<>() {
            @Override
            public List<String> get(int index) {
                return Schema.CURRENT.steps().get(index);
            }

            @Override
            public int size() {
                if (broken.get()) {
                    throw new StackOverflowError();
                }
                return Schema.CURRENT.steps().size();
            }
        });
        writer.close();
        writer = new Writer(file, schema, new ManualTime());
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> writer.write("lost", (session, numbers) -> {
                    session.update("ROLLBACK");
                    return "the transaction is gone";
                }));
        broken.set(true);
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> writer.write("broken", insert("broken", "")))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.UNKNOWN));
        broken.set(false);
        assertThat(writer.write("next", insert("next", "kept"))).isEqualTo("kept");
        assertThat(stored()).containsExactly("next");
    }

    @Test
    void itSaysForAMinuteThatCommitsFailUnlessTheyWorkAgain() {
        ManualTime time = new ManualTime();
        writer.close();
        writer = new Writer(file, Schema.CURRENT, time);
        assertThat(writer.failing()).isFalse();

        failACommit();
        assertThat(writer.failing()).isTrue();
        time.advance(Duration.ofMinutes(1));
        assertThat(writer.failing()).as("nothing was to be saved meanwhile").isFalse();

        failACommit();
        assertThat(writer.failing()).isTrue();
        writer.write("next", insert("next", "kept"));
        assertThat(writer.failing()).isFalse();
    }

    private void failACommit() {
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> writer.write("lost", (session, numbers) -> {
                    session.update("ROLLBACK");
                    return "the transaction is gone";
                }));
    }

    @Test
    void numbersOfAFailedGroupAreNotReused() {
        long first = writer.write("one", (session, sequence) -> sequence.next());
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> writer.write("two", (session, sequence) -> {
                    session.update("ROLLBACK");
                    return sequence.next();
                }));
        long second = writer.write("three", (session, sequence) -> sequence.next());
        assertThat(second).isGreaterThan(first);
    }

    @Test
    void interruptedCallerStillLearnsTheResultOfItsWrite() {
        Thread.currentThread().interrupt();
        assertThat(writer.write("interrupted", insert("it", "kept"))).isEqualTo("kept");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(stored()).containsExactly("it");
    }

    @Test
    void closingFinishesWaitingWritesAndRefusesLaterOnes() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<Boolean> holder = hold(busy, goOn);
        busy.await();
        CompletableFuture<Object> waiting = submit(insert("waited", "kept"));
        awaitWaiting(1);
        CompletableFuture<Void> closed = CompletableFuture.runAsync(writer::close, callers);
        await().until(() -> refuses());
        goOn.countDown();
        closed.join();
        assertThat(holder.join()).isTrue();
        assertThat(waiting.join()).isEqualTo("kept");
        assertThat(stored()).containsExactly("waited");
    }

    private boolean refuses() {
        try {
            CompletableFuture<Object> late = submit(insert("late", "kept"));
            late.getNow("");
            return late.isCompletedExceptionally();
        } catch (CompletionException e) {
            return e.getCause() instanceof StorageException;
        }
    }

    @Test
    void closingOnAnInterruptedThreadDrainsAndKeepsTheFlag() {
        writer.write("before", insert("before", "kept"));
        Thread.currentThread().interrupt();
        writer.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(stored()).containsExactly("before");
        assertThat(file.log()).doesNotExist();
    }

    /** Runs all operations in one commit, because they are queued while the writer is blocked. */
    @SafeVarargs
    private List<CompletableFuture<Object>> together(Work<Object>... works) throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        hold(busy, goOn);
        busy.await();
        List<CompletableFuture<Object>> answers = IntStream.range(0, works.length)
                .mapToObj(i -> {
                    CompletableFuture<Object> answer = submit(works[i]);
                    awaitWaiting(i + 1);
                    return answer;
                })
                .toList();
        goOn.countDown();
        return answers;
    }

    private CompletableFuture<Boolean> hold(CountDownLatch busy, CountDownLatch goOn) {
        return CompletableFuture.supplyAsync(
                () -> writer.write("hold", (session, sequence) -> {
                    busy.countDown();
                    try {
                        goOn.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return true;
                }),
                callers);
    }

    private CompletableFuture<Object> submit(Work<Object> work) {
        return CompletableFuture.supplyAsync(() -> writer.write("test", work), callers);
    }

    private void awaitWaiting(int count) {
        await().until(() -> writer.waiting() == count);
    }

    private static Work<Object> insert(String name, String answer) {
        return (session, sequence) -> {
            session.update("INSERT INTO container (name) VALUES (?)", name);
            return answer;
        };
    }

    private List<String> stored() {
        Readers readers = new Readers(file);
        try {
            return readers.read("names", session -> {
                List<String> names = new ArrayList<>();
                try (var result =
                        session.statement("SELECT name FROM container").executeQuery()) {
                    while (result.next()) {
                        names.add(result.getString(1));
                    }
                }
                return names;
            });
        } finally {
            closeQuietly(readers);
        }
    }

    private static void closeQuietly(Readers readers) {
        try {
            readers.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
