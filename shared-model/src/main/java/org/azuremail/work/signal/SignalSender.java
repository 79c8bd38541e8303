package org.azuremail.work.signal;

/** Sends a signal to another process. */
@FunctionalInterface
public interface SignalSender {

    /**
     * Sends a signal within a second at most. Returns SILENT instead of throwing an exception.
     *
     * @param instance the id of the process at the address
     */
    Signal.Answer send(String instance, String address, Signal signal);
}
