package org.azuremail.storage.version;

import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/**
 * Explains in one sentence, without a stack trace, why a process cannot start on its storage, if the reason is known.
 */
final class StorageAnalyzer extends AbstractFailureAnalyzer<StorageException> {

    private static final String REACH_THE_ACCOUNT = "Check that this machine can reach the storage account, and that"
            + " azuremail.azure.connection-string or azuremail.azure.account names the right one. Then start the process"
            + " again.";

    private final boolean azure;

    StorageAnalyzer(Environment environment) {
        azure = "azure".equals(environment.getProperty("azuremail.storage"));
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, StorageException cause) {
        String action = azure && cause.retryable() ? REACH_THE_ACCOUNT : null;
        return cause.reason() == Reason.UNKNOWN ? null : new FailureAnalysis(cause.getMessage(), action, cause);
    }
}
