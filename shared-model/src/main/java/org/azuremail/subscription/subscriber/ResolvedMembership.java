package org.azuremail.subscription.subscriber;

import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;

/** A membership with its list, and so its shard; there may be no such subscriber. */
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
