package org.azuremail.storage.version;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Thrown if a newer program has upgraded the store. This program would misread it or undo changes of the newer program.
 */
final class NewerStoreException extends RuntimeException {

    NewerStoreException(int stored, int known) {
        super("A newer version of AzureMail has upgraded this storage to format " + stored
                + ", and this version reads formats up to " + known
                + ": start the newer version, or restore a backup that was made before the upgrade.");
    }

    /** Explains in one sentence, without a stack trace, why an older program cannot start. */
    static final class NewerStoreAnalyzer extends AbstractFailureAnalyzer<NewerStoreException> {

        @Override
        protected FailureAnalysis analyze(Throwable rootFailure, NewerStoreException cause) {
            return new FailureAnalysis(cause.getMessage(), null, cause);
        }
    }
}
