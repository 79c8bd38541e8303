package org.azuremail.storage.version;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains in one sentence, without a stack trace, why an older program does not start. */
final class NewerStoreAnalyzer extends AbstractFailureAnalyzer<NewerStoreException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, NewerStoreException cause) {
        return new FailureAnalysis(cause.getMessage(), null, cause);
    }
}
