package org.azuremail.delivery.testmail;

import org.azuremail.work.queue.ItemType;
import org.jspecify.annotations.Nullable;

/**
 * An email to one address that changes nothing and is not counted: a message with sample values before it is sent, or a
 * forwarded reply. Both are rare, so they share a queue, because another queue would cost calls while it is empty.
 *
 * @param id identifies it among the {@link TestMails} of its message; {@code null} in items of older versions
 * @param reply the forwarded reply; {@code null} for a message
 */
public record TestMail(
        long messageRef,
        String address,
        @Nullable String id,
        @Nullable ForwardedReply reply) {

    /** The queue from which senders take test emails. */
    public static final ItemType<TestMail> TYPE = ItemType.json("azuremailtestqueue", TestMail.class);

    public TestMail(long messageRef, String address, @Nullable String id) {
        this(messageRef, address, id, null);
    }

    public static TestMail forwarding(ForwardedReply reply) {
        return new TestMail(0, reply.to(), null, reply);
    }
}
