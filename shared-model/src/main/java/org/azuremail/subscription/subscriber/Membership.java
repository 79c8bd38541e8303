package org.azuremail.subscription.subscriber;

import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;

/** An address on a list: together they name one subscriber. */
public record Membership(ListName list, EmailAddress address) {

    /** Returns whether both name the same subscriber, even if the address is typed differently. */
    public boolean same(Membership other) {
        return list.equals(other.list) && address.folded().equals(other.address.folded());
    }

    @Override
    public String toString() {
        return address + " on " + list;
    }
}
