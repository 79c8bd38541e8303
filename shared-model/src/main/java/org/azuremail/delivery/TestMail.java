package org.azuremail.delivery;

import org.azuremail.work.queue.ItemType;
import org.jspecify.annotations.Nullable;

/**
 * A message to one address, with made-up values, before it goes out: it changes nothing and counts nowhere.
 *
 * @param id names it among the {@link TestMails} of its message; {@code null} in items of older versions
 */
public record TestMail(
        long messageRef, String address, @Nullable String id) {

    /** The queue that senders take test mails from. */
    public static final ItemType<TestMail> TYPE = ItemType.json("azuremailtestqueue", TestMail.class);
}
