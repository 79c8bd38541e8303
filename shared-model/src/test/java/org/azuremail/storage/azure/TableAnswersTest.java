package org.azuremail.storage.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.azuremail.storage.azure.CannedTables.error;

import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the handling of answers that Azure may give and Azurite does not. */
class TableAnswersTest {

    private static final List<Write> TWO =
            List.of(Write.insert("a", Values.of("N", 1)), Write.replace(row("b"), Values.of("N", 2)));
    private static final String DONE = "204 No Content\r\nETag: W/\"datetime'1'\"\r\n";

    private final CannedTables service = new CannedTables();

    private static org.azuremail.storage.Row row(String key) {
        return new org.azuremail.storage.Row(
                new org.azuremail.storage.Key("p", key), "W/\"datetime'0'\"", Values.none());
    }

    @AfterEach
    void close() {
        service.close();
    }

    private WriteResult writeTwo() {
        return service.store().write("things", "p", TWO);
    }

    private void writeFails(Reason reason) {
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(this::writeTwo)
                .satisfies(failure -> assertThat(failure.reason()).isEqualTo(reason));
    }

    @Test
    void batchKnowsTheEtagsOfItsRows() {
        service.thenBatch(
                "204 No Content\r\nETag: W/\"datetime'1'\"\r\n", "204 No Content\r\netag: W/\"datetime'2'\"\r\n");

        assertThat(writeTwo()).isEqualTo(new WriteResult.Written(List.of("W/\"datetime'1'\"", "W/\"datetime'2'\"")));
    }

    @Test
    void refusalThatNamesNoWriteIsUnderstood() {
        for (String message : List.of("The specified entity already exists.", "1:exists", "x:exists", "")) {
            CannedTables other =
                    new CannedTables().thenBatch("409 Conflict\r\n\r\n" + error("EntityAlreadyExists", message));
            try (other) {
                assertThat(other.store().write("things", "p", TWO)).isEqualTo(new WriteResult.Exists());
            }
        }
    }

    @Test
    void refusalWithoutAReadableBodyIsUnderstood() {
        service.thenBatch("412 Precondition Failed\r\n\r\nnot json");

        assertThat(writeTwo()).isEqualTo(new WriteResult.Stale());
    }

    @Test
    void conflictOfAnotherKindIsNotAnExistingRow() {
        service.thenBatch("409 Conflict\r\n\r\n" + error("TableBeingDeleted", "0:wait"));

        writeFails(Reason.UNAVAILABLE);
    }

    @Test
    void missingTableIsNotAMissingRow() {
        service.thenBatch("404 Not Found\r\n\r\n" + error("TableNotFound", "0:no table"));
        writeFails(Reason.MISSING);

        try (CannedTables other = new CannedTables().then(404, error("TableNotFound", "no table"))) {
            assertThatExceptionOfType(StorageException.class)
                    .isThrownBy(() -> other.store().get("things", "p", "a"));
        }
    }

    @Test
    void missingRowIsAnOutcome() {
        service.thenBatch("404 Not Found\r\n\r\n" + error("ResourceNotFound", "0:no row"))
                .then(404, error("ResourceNotFound", "no row"));

        assertThat(service.store().write("things", "p", Write.delete("a"))).isEqualTo(new WriteResult.Missing());
        assertThat(service.store().get("things", "p", "a")).isEmpty();
    }

    @Test
    void batchThatIsThrottledInsideIsSentAgain() {
        service.thenBatch("503 Service Unavailable\r\n\r\n" + error("ServerBusy", "0:busy"))
                .thenBatch(DONE, DONE);

        assertThat(writeTwo().written()).isTrue();

        assertThat(service.requests()).hasSize(2).containsOnly("POST /devstoreaccount1/$batch");
    }

    @Test
    void batchThatStaysThrottledIsThrottled() {
        service.thenBatch("503 Service Unavailable\r\n\r\n" + error("ServerBusy", "0:busy"));

        writeFails(Reason.THROTTLED);

        assertThat(service.requests()).hasSize(RetryWithinDeadline.MAX_TRIES);
    }

    @Test
    void throttlingAfterABatchInDoubtProvesNothing() {
        service.thenBatch("500 Internal Server Error\r\n\r\n" + error("OperationTimedOut", "0:late"))
                .thenBatch("503 Service Unavailable\r\n\r\n" + error("ServerBusy", "0:busy"));

        writeFails(Reason.UNAVAILABLE);
    }

    @Test
    void answerWithTooFewPartsIsNotASuccess() {
        service.thenBatch(DONE);
        writeFails(Reason.UNKNOWN);
    }

    @Test
    void answerThatIsNotABatchIsNotASuccess() {
        service.then(202, "<html>a proxy's page</html>");
        writeFails(Reason.UNKNOWN);
    }

    @Test
    void batchThatIsRefusedAsAWholeHasItsReason() {
        service.then(403, error("AuthenticationFailed", "no"));
        writeFails(Reason.DENIED);
    }

    /** These answers do not come from the table service itself: refused signatures, and error pages of proxies. */
    @ParameterizedTest
    @CsvSource({
        "application/xml, 403, DENIED",
        "text/xml; charset=utf-8, 403, DENIED",
        "application/xml, 503, THROTTLED",
        "application/xml, 200, UNKNOWN",
        "text/html, 502, UNAVAILABLE",
        "text/html, 403, DENIED"
    })
    void refusalThatIsNoJsonHasItsReason(String type, int status, Reason reason) {
        service.then(
                status,
                Map.of("Content-Type", type),
                "<?xml version=\"1.0\"?><Error><Code>AuthenticationFailed</Code><Message>no</Message></Error>");
        TableStore store = service.store();

        Map<String, ThrowingCallable> calls = Map.of(
                "create", () -> store.createTable("things"),
                "get", () -> store.get("things", "p", "a"),
                "query", () -> store.query("things", KeyRange.everything(), 10, null),
                "write", () -> store.write("things", "p", TWO));
        calls.forEach((name, call) -> assertThatExceptionOfType(StorageException.class)
                .as(name)
                .isThrownBy(call)
                .returns(reason, StorageException::reason));
    }

    @Test
    void emptyPageMayContinue() {
        service.then(
                        200,
                        Map.of(
                                "x-ms-continuation-NextPartitionKey", "1!4!cQ--",
                                "x-ms-continuation-NextRowKey", "1!4!cg--"),
                        "{\"value\":[]}")
                .then(200, Map.of("x-ms-continuation-NextPartitionKey", "1!4!cQ--"), "{\"value\":[]}")
                .then(200, "{\"value\":[]}");

        Page<Row> first = service.store().query("things", KeyRange.everything(), 10, null);
        assertThat(first.items()).isEmpty();
        assertThat(first.last()).isFalse();
        Page<Row> second = service.store().query("things", KeyRange.everything(), 10, first.continuation());
        assertThat(second.last()).isFalse();
        Page<Row> third = service.store().query("things", KeyRange.everything(), 10, second.continuation());
        assertThat(third.last()).isTrue();

        assertThat(service.requests()).hasSize(3);
        assertThat(service.requests().get(1)).contains("NextPartitionKey=1%214%21cQ--", "NextRowKey=1%214%21cg--");
        assertThat(service.requests().get(2))
                .contains("NextPartitionKey=1%214%21cQ--")
                .doesNotContain("NextRowKey");
    }

    @Test
    void creatingAnExistingTableSucceedsAndOneBeingDeletedFails() {
        service.then(409, error("TableAlreadyExists", "there"));
        service.store().createTable("things");

        try (CannedTables other = new CannedTables().then(409, error("TableBeingDeleted", "wait"))) {
            assertThatExceptionOfType(StorageException.class)
                    .isThrownBy(() -> other.store().createTable("things"));
        }
    }

    @Test
    void propertyOfAnUnknownTypeIsCorrupt() {
        service.then(
                200,
                "{\"value\":[{\"odata.etag\":\"1\",\"PartitionKey\":\"p\",\"RowKey\":\"r\","
                        + "\"G@odata.type\":\"Edm.Guid\",\"G\":\"c9da6455-213d-42c9-9a79-3e9149a57833\"}]}");

        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> service.store().query("things", KeyRange.everything(), 10, null))
                .satisfies(failure -> assertThat(failure.reason()).isEqualTo(Reason.CORRUPT));
    }
}
