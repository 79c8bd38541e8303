package org.azuremail.work.signal;

/** Takes the signals of other processes. */
@FunctionalInterface
public interface SignalReceiver {

    /** Returns at once; whatever takes time happens elsewhere. */
    SignalAnswer receive(Signal signal);
}
