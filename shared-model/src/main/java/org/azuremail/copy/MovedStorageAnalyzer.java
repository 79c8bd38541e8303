package org.azuremail.copy;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains in two sentences, without a stack trace, why a process does not start on a storage that was copied. */
final class MovedStorageAnalyzer extends AbstractFailureAnalyzer<MovedStorageException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, MovedStorageException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
