package org.azuremail.work.queue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;

/** The content of an item of a queue. */
public sealed interface ItemContent {

    record Text(String text) implements ItemContent {}

    /** The texts of many items, and the token under which they are stored. */
    record Batch(String token, List<String> texts) implements ItemContent {}

    /** The content of an item whose work was done by another delivery, which removed its payload. */
    record Finished() implements ItemContent {}

    /** The content of an item that cannot be handled. */
    record Lost(Reason reason) implements ItemContent {}

    /**
     * Returns the content for an item's text in a queue.
     *
     * @throws org.azuremail.storage.StorageException if the payload is out of reach
     */
    static ItemContent of(Payloads payloads, String queue, String written) {
        ItemText text;
        try {
            text = ItemText.read(written);
        } catch (IllegalArgumentException unreadable) {
            return new Lost(Reason.of(ReasonCode.NO_POINTER));
        }
        if (text instanceof ItemText.Plain plain) {
            return new Text(plain.text());
        }
        return ofPointer(payloads, queue, (ItemText.Pointer) text);
    }

    private static ItemContent ofPointer(Payloads payloads, String queue, ItemText.Pointer pointer) {
        Optional<byte[]> payload = payloads.read(queue, pointer.token());
        if (payload.isPresent()) {
            return ofPayload(pointer, payload.get());
        }
        return payloads.isDone(queue, pointer.token())
                ? new Finished()
                : new Lost(Reason.of(ReasonCode.PAYLOAD_MISSING, pointer.token()));
    }

    private static ItemContent ofPayload(ItemText.Pointer pointer, byte[] payload) {
        if (pointer.kind() == ItemText.Kind.OVERFLOW) {
            return new Text(new String(payload, StandardCharsets.UTF_8));
        }
        try {
            return new Batch(pointer.token(), Batches.unpack(payload));
        } catch (IllegalArgumentException damaged) {
            return new Lost(Reason.of(ReasonCode.PAYLOAD_DAMAGED, pointer.token()));
        }
    }
}
