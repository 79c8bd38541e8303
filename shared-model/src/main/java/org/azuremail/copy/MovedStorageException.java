package org.azuremail.copy;

import org.azuremail.copy.CopyMarks.Marks;
import org.azuremail.copy.TargetMark.State;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Thrown if no process may run on a storage, because it is or was copied, or is itself an unfinished copy. */
final class MovedStorageException extends RuntimeException {

    private final String action;

    private MovedStorageException(String what, String action) {
        super(what);
        this.action = action;
    }

    /** Returns the advice for the operator. */
    String action() {
        return action;
    }

    /** @throws MovedStorageException if the marks show that no process may run on this storage */
    static void throwIfMoved(Marks marks) {
        if (marks.departure() != null) {
            SourceMark sourceMark = marks.departure().value();
            throw new MovedStorageException(
                    moved(sourceMark), sourceMark.finished() ? wayBack() : continueAdvice(sourceMark));
        }
        if (marks.arrival() != null && marks.arrival().value().state() != State.FINISHED) {
            TargetMark targetMark = marks.arrival().value();
            throw new MovedStorageException(
                    "this storage holds a copy of " + targetMark.source()
                            + (targetMark.state() == State.COPYING ? " that is not finished" : " that was given up"),
                    "Repeat the command that copies until it says that everything was copied; or give the copy up with"
                            + " --abandon, start the service on " + targetMark.source() + ", and empty this storage.");
        }
    }

    static String moved(SourceMark sourceMark) {
        return sourceMark.finished()
                ? "everything of this storage was copied to " + sourceMark.target() + " at " + sourceMark.finishedAt()
                : "since " + sourceMark.startedAt() + " this storage is being copied to " + sourceMark.target();
    }

    static String wayBack() {
        return "Start the service on the other storage: on both it would email everybody twice. To go back, copy from"
                + " there into an empty storage; first move away what is here.";
    }

    private static String continueAdvice(SourceMark sourceMark) {
        return "Repeat the command that copies until it says that everything was copied, and start the service on "
                + sourceMark.target() + "; or give the copy up: the same command with --abandon.";
    }

    /** Explains in two sentences, without a stack trace, why a process does not start on a storage that was copied. */
    static final class MovedStorageAnalyzer extends AbstractFailureAnalyzer<MovedStorageException> {

        @Override
        protected FailureAnalysis analyze(Throwable rootFailure, MovedStorageException cause) {
            return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
        }
    }
}
