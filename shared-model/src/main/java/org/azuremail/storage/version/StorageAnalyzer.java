package org.azuremail.storage.version;

import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains in one sentence, without a stack trace, why a process does not start on its storage; unless nobody knows why. */
final class StorageAnalyzer extends AbstractFailureAnalyzer<StorageException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, StorageException cause) {
        return cause.reason() == Reason.UNKNOWN ? null : new FailureAnalysis(cause.getMessage(), null, cause);
    }
}
