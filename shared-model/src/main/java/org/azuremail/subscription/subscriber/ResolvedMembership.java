package org.azuremail.subscription.subscriber;

import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;

/** A membership whose list was looked up, so that its shard is known; whether anybody has it is not. */
public record ResolvedMembership(MailingList list, EmailAddress address) {

    public ListName name() {
        return list.name();
    }

    public int shard() {
        return list.shardOf(address);
    }

    public boolean open() {
        return !list.deleting();
    }

    public Membership membership() {
        return new Membership(list.name(), address);
    }
}
