package org.azuremail.transport;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.Unavailable;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transport that may be replaced while emails leave by it. It is closed once it is no longer in use, and takes
 * nothing after that. Safe for use from many threads.
 */
final class RefCountedTransport implements MailTransport {

    private static final Logger LOG = LoggerFactory.getLogger(RefCountedTransport.class);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

    private final String name;
    private final MailTransport transport;
    private int users;
    private boolean retired;

    RefCountedTransport(String name, MailTransport transport) {
        this.name = name;
        this.transport = transport;
    }

    @Override
    public String name() {
        return transport.name();
    }

    @Override
    public int lotSize() {
        return transport.lotSize();
    }

    @Override
    public int concurrency() {
        return transport.concurrency();
    }

    @Override
    public boolean reportsEachEmail() {
        return transport.reportsEachEmail();
    }

    @Override
    public Optional<Unavailable> prepare(BooleanSupplier mayWait) {
        if (!enter()) {
            return Optional.of(changed());
        }
        try {
            return transport.prepare(mayWait);
        } finally {
            leave();
        }
    }

    @Override
    public HandOverResult handOver(MailLot lot, Guard guard) {
        if (!enter()) {
            return HandOverResult.notAttempted(lot.mails().size(), changed());
        }
        try {
            return transport.handOver(lot, guard);
        } finally {
            leave();
        }
    }

    private Unavailable changed() {
        return new Unavailable(Unavailable.Kind.WAIT, Reason.of(ReasonCode.TRANSPORT_CHANGED, name), RETRY_DELAY);
    }

    private synchronized boolean enter() {
        users += retired ? 0 : 1;
        return !retired;
    }

    private void leave() {
        boolean last;
        synchronized (this) {
            users--;
            last = retired && users == 0;
        }
        if (last) {
            close();
        }
    }

    /** Takes no more emails, and closes as soon as nothing is under way. */
    void retire() {
        boolean idle;
        synchronized (this) {
            idle = !retired && users == 0;
            retired = true;
        }
        if (idle) {
            close();
        }
    }

    private void close() {
        if (transport instanceof AutoCloseable open) {
            try {
                open.close();
            } catch (Exception e) {
                LOG.debug("{} did not close", name, e);
            }
        }
    }
}
