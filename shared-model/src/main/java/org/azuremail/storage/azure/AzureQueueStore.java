package org.azuremail.storage.azure;

import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueServiceClient;
import com.azure.storage.queue.models.PeekedMessageItem;
import com.azure.storage.queue.models.QueueErrorCode;
import com.azure.storage.queue.models.QueueMessageItem;
import com.azure.storage.queue.models.QueueStorageException;
import com.azure.storage.queue.models.UpdateMessageResult;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.azuremail.storage.ParallelCalls;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;
import org.jspecify.annotations.Nullable;

/**
 * Stores queues in an Azure Storage account. Each request is repeated if no answer arrives. A send may therefore leave
 * two items, and a renewal or deletion that took effect may then find that the receipt is invalid.
 *
 * <p>Azure counts whole seconds, so fractions of a second are rounded up.
 */
final class AzureQueueStore implements QueueStore {

    private static final Duration NEVER_EXPIRES = Duration.ofSeconds(-1);
    private static final Set<QueueErrorCode> RECEIPT_IS_DEAD =
            Set.of(QueueErrorCode.MESSAGE_NOT_FOUND, QueueErrorCode.POP_RECEIPT_MISMATCH);

    private final QueueServiceClient service;
    private final Map<String, QueueClient> clients = new ConcurrentHashMap<>();
    private final ParallelCalls sends = new ParallelCalls("azure sends", AzureTableStore.MAX_CONCURRENT_CALLS);

    /** @param service a client that does not encode items; see {@link #encode} */
    AzureQueueStore(QueueServiceClient service) {
        this.service = service;
    }

    @Override
    public void createQueue(String queue) {
        AzureErrors.create("queue " + queue, "QueueAlreadyExists", client(queue)::create);
    }

    @Override
    public void send(String queue, String text, Duration delay) {
        BinaryData message = BinaryData.fromString(encode(text));
        call(
                "send to " + queue,
                queue,
                client -> client.sendMessageWithResponse(
                        message, wholeSeconds(delay), NEVER_EXPIRES, null, Context.NONE));
    }

    @Override
    public void sendAll(String queue, List<String> texts) {
        sends.invokeAll(texts.stream()
                .<Supplier<Boolean>>map(text -> () -> {
                    send(queue, text);
                    return true;
                })
                .toList());
    }

    @Override
    public List<QueueItem> receive(String queue, int max, Duration visibility) {
        return call(
                "receive from " + queue,
                queue,
                client -> client.receiveMessages(max, wholeSeconds(visibility), null, Context.NONE).stream()
                        .map(AzureQueueStore::received)
                        .toList());
    }

    private static QueueItem received(QueueMessageItem message) {
        return new QueueItem(
                message.getMessageId(),
                message.getPopReceipt(),
                text(message.getBody()),
                Math.toIntExact(message.getDequeueCount()),
                message.getInsertionTime().toInstant(),
                message.getTimeNextVisible().toInstant());
    }

    @Override
    public Optional<QueueItem> renew(String queue, QueueItem item, Duration visibility) {
        return call("renew in " + queue, queue, client -> {
            try {
                return Optional.of(
                        renewed(item, client.updateMessage(item.id(), item.receipt(), null, wholeSeconds(visibility))));
            } catch (QueueStorageException e) {
                return whenDead(e, Optional.empty());
            }
        });
    }

    private static QueueItem renewed(QueueItem item, UpdateMessageResult update) {
        return new QueueItem(
                item.id(),
                update.getPopReceipt(),
                item.text(),
                item.dequeueCount(),
                item.insertedAt(),
                update.getTimeNextVisible().toInstant());
    }

    @Override
    public boolean delete(String queue, QueueItem item) {
        return call("delete from " + queue, queue, client -> {
            try {
                client.deleteMessage(item.id(), item.receipt());
                return true;
            } catch (QueueStorageException e) {
                return whenDead(e, false);
            }
        });
    }

    private static <T> T whenDead(QueueStorageException e, T answer) {
        if (RECEIPT_IS_DEAD.contains(e.getErrorCode())) {
            return answer;
        }
        throw e;
    }

    @Override
    public List<QueueItem> peek(String queue, int max) {
        return call("peek at " + queue, queue, client -> client.peekMessages(max, null, Context.NONE).stream()
                .map(AzureQueueStore::peeked)
                .toList());
    }

    private static QueueItem peeked(PeekedMessageItem message) {
        return new QueueItem(
                message.getMessageId(),
                "",
                text(message.getBody()),
                Math.toIntExact(message.getDequeueCount()),
                message.getInsertionTime().toInstant(),
                message.getInsertionTime().toInstant());
    }

    @Override
    public long approximateCount(String queue) {
        return call("count " + queue, queue, client -> client.getProperties().getApproximateMessagesCountLong());
    }

    private <T> T call(String about, String queue, Function<QueueClient, T> call) {
        return AzureErrors.translated(about, () -> call.apply(client(queue)));
    }

    private QueueClient client(String queue) {
        return clients.computeIfAbsent(queue, service::getQueueClient);
    }

    private static String text(@Nullable BinaryData body) {
        return body == null ? "" : decode(body.toString());
    }

    /**
     * Returns the UTF-8 form of a text in Base64, as other programs expect it, because a message is XML. The client
     * library could do the same, but it loses a message or breaks off if another program has written one in another
     * form.
     */
    static String encode(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Decodes a text that was encoded. Returns any other text unchanged, and its reader refuses it. */
    static String decode(String wire) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(wire));
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (IllegalArgumentException | CharacterCodingException notOurs) {
            return wire;
        }
    }

    private static Duration wholeSeconds(Duration duration) {
        return Duration.ofSeconds(duration.plusSeconds(1).minusNanos(1).toSeconds());
    }
}
