package org.azuremail.subscription;

import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;

/** A membership whose list was looked up, so that its shard is known; whether anybody has it is not. */
record Seat(MailingList list, EmailAddress address) {

    ListName name() {
        return list.name();
    }

    int shard() {
        return list.shardOf(address);
    }

    boolean open() {
        return !list.deleting();
    }

    Membership membership() {
        return new Membership(list.name(), address);
    }
}
