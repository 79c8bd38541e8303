package org.azuremail.work.signal;

import org.azuremail.work.instance.Instance;

/** Sends a signal to another process. */
@FunctionalInterface
public interface SignalSender {

    /** Sends a signal within a second at most. Returns SILENT instead of throwing an exception. */
    Signal.Answer send(Instance to, Signal signal);
}
