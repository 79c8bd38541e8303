package org.azuremail.storage.azure;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.exception.ClientAuthenticationException;
import com.azure.core.exception.HttpResponseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.util.concurrent.TimeoutException;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AzureErrorsTest {

    @ParameterizedTest
    @CsvSource({
        "400,UNKNOWN",
        "401,DENIED",
        "403,DENIED",
        "404,UNKNOWN",
        "408,TIMED_OUT",
        "413,UNKNOWN",
        "429,THROTTLED",
        "500,UNAVAILABLE",
        "502,UNAVAILABLE",
        "503,THROTTLED",
        "504,TIMED_OUT"
    })
    void answerHasAReason(int status, Reason reason) {
        HttpResponseException refused = new HttpResponseException("no", new CannedResponse(status));

        assertThat(AzureErrors.reason(refused)).isEqualTo(reason);
        assertThat(AzureErrors.reason(new RuntimeException(new RuntimeException(refused))))
                .isEqualTo(reason);
        assertThat(AzureErrors.status(refused)).hasValue(status);
    }

    @Test
    void failureWithoutAnAnswerHasAReason() {
        assertThat(reason(new HttpTimeoutException("x"))).isEqualTo(Reason.TIMED_OUT);
        assertThat(reason(new HttpConnectTimeoutException("x"))).isEqualTo(Reason.TIMED_OUT);
        assertThat(reason(new TimeoutException())).isEqualTo(Reason.TIMED_OUT);
        assertThat(reason(new ConnectException())).isEqualTo(Reason.UNAVAILABLE);
        assertThat(reason(new UnknownHostException("x"))).isEqualTo(Reason.UNAVAILABLE);
        assertThat(reason(new IOException())).isEqualTo(Reason.UNAVAILABLE);
        assertThat(reason(new InterruptedException())).isEqualTo(Reason.UNAVAILABLE);
        assertThat(reason(new ClientAuthenticationException("no identity", null)))
                .isEqualTo(Reason.DENIED);
        assertThat(reason(new StringIndexOutOfBoundsException())).isEqualTo(Reason.UNKNOWN);
        assertThat(AzureErrors.status(new IOException())).isEmpty();
    }

    private static Reason reason(Exception failure) {
        return AzureErrors.reason(new RuntimeException(failure));
    }

    @Test
    void endlessCausesEnd() {
        RuntimeException one = new RuntimeException();
        one.initCause(new RuntimeException(one));

        assertThat(AzureErrors.reason(one)).isEqualTo(Reason.UNKNOWN);
    }

    @Test
    void onlyConnectionFailuresProveThatARequestDidNotArrive() {
        assertThat(AzureErrors.mayHaveArrived(new UncheckedIOException(new ConnectException())))
                .isFalse();
        assertThat(AzureErrors.mayHaveArrived(new UncheckedIOException(new HttpConnectTimeoutException("x"))))
                .isFalse();
        assertThat(AzureErrors.mayHaveArrived(new UncheckedIOException(new UnknownHostException("x"))))
                .isFalse();
        assertThat(AzureErrors.mayHaveArrived(new UncheckedIOException(new HttpTimeoutException("x"))))
                .isTrue();
        assertThat(AzureErrors.mayHaveArrived(new UncheckedIOException(new IOException())))
                .isTrue();
    }

    /** A restart creates an empty container or table, and Azure restores no deleted one under an existing name. */
    @ParameterizedTest
    @ValueSource(strings = {"ContainerNotFound", "TableNotFound"})
    void somethingThatWasDeletedIsSaidToBeSo(String code) {
        assertThat(AzureErrors.refused("open container/1.htm", 404, code, null))
                .hasMessageContaining("somebody deleted it; restore it")
                .hasMessageContaining(code)
                .satisfies(missing -> assertThat(missing.reason()).isEqualTo(Reason.MISSING));
    }

    @Test
    void aQueueThatWasDeletedIsSaidToBeCreatedAgain() {
        StorageException missing = AzureErrors.refused("receive from things", 404, "QueueNotFound", null);

        assertThat(missing)
                .hasMessageContaining("receive from things")
                .hasMessageContaining("somebody deleted it; the service creates it again");
        assertThat(missing.reason()).isEqualTo(Reason.MISSING);
    }

    /** Azure refuses a signature that is more than fifteen minutes older or newer than its own clock. */
    @Test
    void aRefusedSignatureMayBeDueToTheClock() {
        assertThat(AzureErrors.refused("get message k", 403, "AuthenticationFailed", null))
                .hasMessageContaining("the account's key")
                .hasMessageContaining("this machine's clock");
        assertThat(AzureErrors.refused("get message k", 403, "AuthorizationPermissionMismatch", null))
                .hasMessageContaining("the identity's roles")
                .hasMessageNotContaining("clock");
    }

    @Test
    void messageNamesTheCallAndTheRemedy() {
        StorageException denied = AzureErrors.translate(
                "get message k", new HttpResponseException("signature abc", new CannedResponse(403)));

        assertThat(denied)
                .hasMessageContaining("get message k")
                .hasMessageContaining("the identity's roles")
                .hasMessageContaining("HTTP 403");
        assertThat(denied.getMessage()).doesNotContain("signature");
        assertThat(denied.retryable()).isFalse();
        assertThat(AzureErrors.translate("x", denied)).isSameAs(denied);
    }
}
