package org.azuremail.storage.embedded;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.embedded.Writer.Outcome;
import org.azuremail.storage.embedded.Writer.Work;
import org.jspecify.annotations.Nullable;

/** One caller's work, on its way through a commit that it shares with others. */
final class Operation<T> {

    private final String about;
    private final int numbers;
    private final Work<T> work;
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private @Nullable Outcome<T> outcome;
    private @Nullable Throwable failure;

    Operation(String about, int numbers, Work<T> work) {
        this.about = about;
        this.numbers = numbers;
        this.work = work;
    }

    String about() {
        return about;
    }

    /** The most numbers of the sequence that it takes. */
    int numbers() {
        return numbers;
    }

    /** A throw from here means that the transaction as a whole is lost. */
    void runInSavepoint(Session session, Sequence sequence) throws SQLException {
        session.update("SAVEPOINT operation");
        try {
            outcome = work.on(session, sequence);
        } catch (SQLException e) {
            failure = SqliteErrors.translate(about, e);
        } catch (RuntimeException e) {
            failure = e;
        }
        if (outcome == null || !outcome.keep()) {
            session.update("ROLLBACK TO operation");
        }
        session.update("RELEASE operation");
    }

    /** The commit is durable. */
    void succeed() {
        if (failure != null) {
            answer.completeExceptionally(failure);
        } else if (outcome != null) {
            answer.complete(outcome.answer());
        }
    }

    /** The commit is not, or nobody knows. */
    void fail(StorageException e) {
        answer.completeExceptionally(e);
    }

    /** Waits for the commit; an interrupt does not break that off, its flag stays set. */
    T join() {
        try {
            return answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof StorageException cause) {
                throw cause;
            }
            throw e;
        }
    }
}
