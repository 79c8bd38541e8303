package org.azuremail.delivery.range;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.work.signal.Signals;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.annotation.Scope;

/**
 * Counts the parts of each message that one worker of this process works on: shards that are walked, or ranges that are
 * sent. Each worker has a separate counter. While other parts of a message are under way here, the scheduler has
 * nothing to do about the finished ones; it is signalled when the last one ends. Safe for use from many threads.
 */
@Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
public final class InFlightParts {

    private final Signals signals;
    private final Map<MessageRef, Integer> inFlight = new HashMap<>();
    private final Set<MessageRef> unreported = new HashSet<>();

    public InFlightParts(Signals signals) {
        this.signals = signals;
    }

    /** Called when work on a part begins; {@link #end} follows, however it ends. */
    public synchronized void begin(MessageRef message) {
        inFlight.merge(message, 1, Integer::sum);
    }

    /** Called when a part is done, durably; {@link #end} follows. */
    public synchronized void done(MessageRef message) {
        unreported.add(message);
    }

    /** Called when work on a part ends. Signals the scheduler if a part was done and this one was the last. */
    public void end(MessageRef message) {
        if (endsLastDonePart(message)) {
            signals.runSoon(Messages.DUE_MESSAGES);
        }
    }

    private synchronized boolean endsLastDonePart(MessageRef message) {
        Integer others = inFlight.computeIfPresent(message, (ref, count) -> count == 1 ? null : count - 1);
        return others == null && unreported.remove(message);
    }
}
