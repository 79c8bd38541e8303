package org.azuremail.delivery;

import org.azuremail.work.ItemType;

/** A message to one address, with made-up values, before it goes out: it changes nothing and counts nowhere. */
public record TestMail(long messageRef, String address) {

    /** The queue that senders take test mails from. */
    public static final ItemType<TestMail> TYPE = ItemType.json("azuremailtestqueue", TestMail.class);
}
