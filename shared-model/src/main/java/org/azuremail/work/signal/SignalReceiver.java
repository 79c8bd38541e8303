package org.azuremail.work.signal;

/** Takes the signals of other processes. */
@FunctionalInterface
public interface SignalReceiver {

    /** Returns at once; anything that takes time happens elsewhere. */
    SignalAnswer receive(Signal signal);
}
