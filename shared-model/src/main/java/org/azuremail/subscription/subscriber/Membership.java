package org.azuremail.subscription.subscriber;

import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;

/** An address on a list. The two identify one subscriber. */
public record Membership(ListName list, EmailAddress address) {

    /** Returns whether both name the same subscriber, even if the address is typed differently. */
    public boolean isSameSubscriber(Membership other) {
        return list.equals(other.list) && address.folded().equals(other.address.folded());
    }

    @Override
    public String toString() {
        return address + " on " + list;
    }

    /** A membership with its list, which determines its shard. The subscriber need not exist. */
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
}
