package org.azuremail.sender;

import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport;

/** The same provider with another batch size. */
record OtherLots(MailTransport provider, int size) implements MailTransport {

    @Override
    public String name() {
        return provider.name();
    }

    @Override
    public int lotSize() {
        return size;
    }

    @Override
    public HandOverResult handOver(MailLot lot, Guard guard) {
        return provider.handOver(lot, guard);
    }
}
