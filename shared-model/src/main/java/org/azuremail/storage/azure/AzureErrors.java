package org.azuremail.storage.azure;

import com.azure.core.exception.ClientAuthenticationException;
import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpResponse;
import com.azure.data.tables.models.TableServiceException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Translates the failures of Azure's libraries into exceptions of the ports. The outcomes 404, 409 and 412 are not
 * failures, so the back ends handle them first.
 */
final class AzureErrors {

    private static final HttpHeaderName ERROR_CODE = HttpHeaderName.fromString("x-ms-error-code");

    /** The end of the error code for a table, queue or container during the half minute after it was deleted. */
    private static final String BEING_DELETED = "BeingDeleted";

    /** The error code for a wrong signature, and for one that is more than fifteen minutes from Azure's time. */
    private static final String SIGNATURE = "AuthenticationFailed";

    private static final String NO_QUEUE = "QueueNotFound";

    private static final Set<String> MISSING = Set.of("ContainerNotFound", "TableNotFound", NO_QUEUE);

    private static final int DEEPEST_CAUSE = 20;

    private AzureErrors() {}

    static <T extends @Nullable Object> T translated(String about, Supplier<T> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            throw translate(about, e);
        }
    }

    /**
     * Creates something unless it exists. The library's own method is not used, because it also ignores the answer that
     * the thing is being deleted.
     *
     * @param exists the error code of something that exists
     */
    static void create(String what, String exists, Runnable creation) {
        try {
            creation.run();
        } catch (RuntimeException e) {
            if (!code(e).equals(exists)) {
                throw translate("create " + what, e);
            }
        }
    }

    /** Returns the HTTP status of the service's answer; empty if the failure was not an answer. */
    static OptionalInt status(@Nullable Throwable failure) {
        HttpResponse response = response(failure);
        return response == null ? OptionalInt.empty() : OptionalInt.of(response.getStatusCode());
    }

    /** Returns the service's error code, such as {@code TableNotFound}; empty if the service gave none. */
    static String code(@Nullable Throwable failure) {
        TableServiceException ofTables = find(failure, TableServiceException.class);
        if (ofTables != null
                && ofTables.getValue() != null
                && ofTables.getValue().getErrorCode() != null) {
            return ofTables.getValue().getErrorCode().toString();
        }
        HttpResponse response = response(failure);
        String code = response == null ? null : response.getHeaderValue(ERROR_CODE);
        return code == null ? "" : code;
    }

    /**
     * Returns the exception of the ports for a failure. Details about signatures and requests are only in its cause.
     */
    static StorageException translate(String about, Throwable failure) {
        if (failure instanceof StorageException already) {
            return already;
        }
        OptionalInt status = status(failure);
        return status.isPresent()
                ? refused(about, status.getAsInt(), code(failure), failure)
                : new StorageException(reason(failure), about + ": " + name(failure), failure);
    }

    /** Returns the class name of the network failure behind a failure or, if it has none, of the failure itself. */
    private static String name(Throwable failure) {
        Throwable unknownHost = find(failure, UnresolvedAddressException.class);
        Throwable network = unknownHost == null ? find(failure, IOException.class) : unknownHost;
        return (network == null ? failure : network).getClass().getSimpleName();
    }

    /** Returns the exception for an answer that is not an outcome. */
    static StorageException refused(String about, int status, String code, @Nullable Throwable cause) {
        Reason reason = reason(status, code);
        String hint = "";
        if (reason == Reason.DENIED) {
            hint = ": the account's key, or the identity's roles, do not allow it"
                    + (code.equals(SIGNATURE) ? ", or this machine's clock is wrong" : "");
        } else if (reason == Reason.MISSING) {
            hint = code.equals(NO_QUEUE)
                    ? ": somebody deleted it; the service creates it again"
                    : ": somebody deleted it; restore it, or restart all processes, which creates an empty one";
        }
        return new StorageException(reason, (about + hint + ": HTTP " + status + " " + code).trim(), cause);
    }

    static Reason reason(@Nullable Throwable failure) {
        OptionalInt status = status(failure);
        if (status.isPresent()) {
            return reason(status.getAsInt(), code(failure));
        }
        if (caused(failure, HttpTimeoutException.class) || caused(failure, TimeoutException.class)) {
            return Reason.TIMED_OUT;
        }
        if (caused(failure, IOException.class) || caused(failure, InterruptedException.class)) {
            return Reason.UNAVAILABLE;
        }
        return caused(failure, ClientAuthenticationException.class) ? Reason.DENIED : Reason.UNKNOWN;
    }

    private static Reason reason(int status, String code) {
        if (code.endsWith(BEING_DELETED)) {
            return Reason.UNAVAILABLE;
        }
        if (MISSING.contains(code)) {
            return Reason.MISSING;
        }
        return switch (status) {
            case 401, 403 -> Reason.DENIED;
            case 429, 503 -> Reason.THROTTLED;
            case 408, 504 -> Reason.TIMED_OUT;
            case 500, 502 -> Reason.UNAVAILABLE;
            default -> Reason.UNKNOWN;
        };
    }

    /** Returns whether a repeated request may succeed, because no answer arrived or the answer broke off. */
    static boolean isTransient(@Nullable Throwable failure) {
        return !caused(failure, InterruptedException.class)
                && !caused(failure, ClientAuthenticationException.class)
                && (caused(failure, IOException.class) || caused(failure, TimeoutException.class));
    }

    /** Returns whether the request may have reached the service. Without a connection, it has not. */
    static boolean mayHaveArrived(@Nullable Throwable failure) {
        return !caused(failure, ConnectException.class)
                && !caused(failure, HttpConnectTimeoutException.class)
                && !caused(failure, UnknownHostException.class);
    }

    private static @Nullable HttpResponse response(@Nullable Throwable failure) {
        HttpResponseException answered = find(failure, HttpResponseException.class);
        return answered == null ? null : answered.getResponse();
    }

    private static boolean caused(@Nullable Throwable failure, Class<? extends Throwable> type) {
        return find(failure, type) != null;
    }

    private static <T extends Throwable> @Nullable T find(@Nullable Throwable failure, Class<T> type) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (type.isInstance(cause)) {
                return type.cast(cause);
            }
            cause = cause.getCause();
        }
        return null;
    }
}
