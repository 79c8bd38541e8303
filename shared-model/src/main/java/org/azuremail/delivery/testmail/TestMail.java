package org.azuremail.delivery.testmail;

import org.azuremail.work.queue.ItemType;
import org.jspecify.annotations.Nullable;

/**
 * An email to one address that changes nothing and is not counted: a message with made-up values before it goes out, or a
 * forwarded reply. Both are rare, so they share a queue: another queue would cost calls while nothing waits.
 *
 * @param id names it among the {@link TestMails} of its message; {@code null} in items of older versions
 * @param reply what is forwarded; {@code null} for a message
 */
public record TestMail(
        long messageRef,
        String address,
        @Nullable String id,
        @Nullable ForwardedReply reply) {

    /** The queue that senders take test mails from. */
    public static final ItemType<TestMail> TYPE = ItemType.json("azuremailtestqueue", TestMail.class);

    public TestMail(long messageRef, String address, @Nullable String id) {
        this(messageRef, address, id, null);
    }

    public static TestMail forwarding(ForwardedReply reply) {
        return new TestMail(0, reply.to(), null, reply);
    }
}
