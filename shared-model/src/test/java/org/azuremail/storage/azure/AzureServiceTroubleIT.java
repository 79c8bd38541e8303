package org.azuremail.storage.azure;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Checks queues and blobs of a service that does not answer, or not yet. Such tests wait, so they run at the same time.
 */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class AzureServiceTroubleIT {

    private static final QueueItem ITEM = new QueueItem("id", "receipt", "x", 1, Instant.EPOCH, Instant.EPOCH);

    @Test
    void everyCallEndsWhenNoAnswerComes() {
        try (StubbornService service = StubbornService.thatIsSilent()) {
            calls(service.impatientClients()).forEach((name, call) -> fails(name, call, Reason.TIMED_OUT));
        }
    }

    @Test
    void everyCallEndsWhenItsAnswerNeverEnds() {
        try (StubbornService service = StubbornService.thatFallsAsleep()) {
            Map<String, ThrowingCallable> calls = calls(service.impatientClients());
            for (String reading : new String[] {"receive", "peek", "open", "list"}) {
                fails(reading, calls.get(reading), Reason.TIMED_OUT);
            }
        }
    }

    @Test
    void busyServiceIsThrottled() {
        try (StubbornService service = StubbornService.thatSays(503, "ServerBusy")) {
            Map<String, ThrowingCallable> calls = calls(service.patientClients());
            for (String some : new String[] {"send", "receive", "renew", "delete", "count", "put", "open"}) {
                fails(some, calls.get(some), Reason.THROTTLED);
            }
        }
    }

    @Test
    void wrongKeyIsDenied() {
        try (StubbornService service = StubbornService.thatSays(403, "AuthenticationFailed")) {
            calls(service.patientClients()).forEach((name, call) -> fails(name, call, Reason.DENIED));
        }
    }

    @Test
    void creatingDuringADeletionIsUnavailable() {
        try (StubbornService service = StubbornService.thatSays(409, "QueueBeingDeleted")) {
            fails("create", calls(service.patientClients()).get("create queue"), Reason.UNAVAILABLE);
        }
        try (StubbornService service = StubbornService.thatSays(409, "ContainerBeingDeleted")) {
            fails("create", calls(service.patientClients()).get("create container"), Reason.UNAVAILABLE);
            fails("put", calls(service.patientClients()).get("put"), Reason.UNAVAILABLE);
        }
    }

    @Test
    void leaseOnABlobIsNotAnUnmetCondition() {
        try (StubbornService service = StubbornService.thatSays(412, "LeaseIdMissing")) {
            fails("put", calls(service.patientClients()).get("put"), Reason.UNKNOWN);
        }
    }

    private static void fails(String name, ThrowingCallable call, Reason reason) {
        assertThatExceptionOfType(StorageException.class)
                .as(name)
                .isThrownBy(call)
                .returns(reason, StorageException::reason);
    }

    private static Map<String, ThrowingCallable> calls(AzureAccount clients) {
        QueueStore queues = new AzureQueueStore(clients.queues());
        BlobStore blobs = new AzureBlobStore(clients.blobs());
        Duration minute = Duration.ofMinutes(1);
        Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
        calls.put("create queue", () -> queues.createQueue("queue"));
        calls.put("send", () -> queues.send("queue", "x"));
        calls.put("receive", () -> queues.receive("queue", 1, minute));
        calls.put("renew", () -> queues.renew("queue", ITEM, minute));
        calls.put("delete", () -> queues.delete("queue", ITEM));
        calls.put("peek", () -> queues.peek("queue", 1));
        calls.put("count", () -> queues.approximateCount("queue"));
        calls.put("create container", () -> blobs.createContainer("container"));
        calls.put("put", () -> blobs.put("container", "a", new byte[1], BlobStore.ABSENT));
        calls.put("put large", () -> blobs.put("container", "a", new byte[BlobBlocks.BYTES], BlobStore.ALWAYS));
        calls.put("open", () -> blobs.read("container", "a"));
        calls.put("delete blob", () -> blobs.delete("container", "a", BlobStore.ALWAYS));
        calls.put("list", () -> blobs.list("container", "", 1, null));
        return calls;
    }
}
