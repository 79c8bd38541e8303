package org.azuremail.web.connector;

import java.net.BindException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.WebServerException;
import org.springframework.core.env.Environment;

/**
 * Explains in one sentence, without a stack trace, that this user may not listen on the port, or that the address is
 * not one of this machine. Spring explains a port that is in use.
 */
final class ListenFailureAnalyzer extends AbstractFailureAnalyzer<WebServerException> {

    private final Environment environment;

    ListenFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, WebServerException cause) {
        BindException refused = findCause(cause, BindException.class);
        if (refused == null || cause instanceof PortInUseException) {
            return null;
        }
        return new FailureAnalysis(
                "the service cannot listen on port " + environment.getProperty("server.port", "8080") + ": "
                        + refused.getMessage(),
                "Set server.port to a port on which this user may listen, usually 1024 or higher, and server.address,"
                        + " if at all, to an address of this machine.",
                cause);
    }
}
