package org.azuremail.storage.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.storage.queue.QueueClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.azuremail.storage.FreshNames;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;
import org.azuremail.storage.QueueStoreContract;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Checks queues on the test account: the contract, and behaviour that only Azure has. */
class AzureQueueStoreIT {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final AzureAccount CLIENTS = TestClients.of();

    @Nested
    class Contract implements QueueStoreContract {

        private final QueueStore store = AccountStorage.open().queues();

        @Override
        public QueueStore queues() {
            return store;
        }

        @Override
        public void letPass(Duration duration) {
            RealTime.letPass(duration);
        }
    }

    @Nested
    @ExtendWith(OutputCaptureExtension.class)
    class OnlyHere {

        private final QueueStore store = AccountStorage.open().queues();
        private final String queue = FreshNames.next();
        private final QueueClient raw = CLIENTS.queues().getQueueClient(queue);

        @BeforeEach
        void createQueue() {
            store.createQueue(queue);
        }

        @Test
        void itemsAreBase64OnTheWireAndNeverExpire() {
            store.send(queue, "für alle");

            var peeked = raw.peekMessage();

            String base64 = Base64.getEncoder().encodeToString("für alle".getBytes(StandardCharsets.UTF_8));
            assertThat(peeked.getBody()).hasToString(base64);
            assertThat(peeked.getExpirationTime().toInstant()).isAfter(Instant.parse("9999-01-01T00:00:00Z"));
        }

        @Test
        void itemsOfOtherProgramsAreUnchanged() {
            List<String> strange = List.of("{not base64}", "test", "/w==", "&lt; ü \uD83D\uDE80");
            store.send(queue, "ours");
            strange.forEach(raw::sendMessage);
            raw.sendMessage("");

            assertThat(store.peek(queue, 32)).extracting(QueueItem::text).contains("ours", "test", "");
            assertThat(store.receive(queue, 32, LONG))
                    .extracting(QueueItem::text)
                    .contains("ours", "")
                    .containsAll(strange)
                    .hasSize(6);
        }

        @Test
        void partOfASecondIsRoundedUp() {
            store.send(queue, "x", Duration.ofMillis(1));
            assertThat(store.peek(queue, 1)).isEmpty();
            await().until(() -> !store.peek(queue, 1).isEmpty());

            QueueItem item = store.receive(queue, 1, LONG).get(0);
            QueueItem renewed = store.renew(queue, item, Duration.ofMillis(999)).orElseThrow();
            assertThat(store.peek(queue, 1)).isEmpty();
            assertThat(store.delete(queue, renewed)).isTrue();
        }

        @Test
        void expectedAnswersAreNotLogged(CapturedOutput output) {
            store.send(queue, "x");
            QueueItem item = store.receive(queue, 1, LONG).get(0);
            store.delete(queue, item);

            assertThat(store.delete(queue, item)).isFalse();

            assertThat(output.getAll()).isEmpty();
        }
    }
}
