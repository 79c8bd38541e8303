package org.azuremail.storage.simulated;

/**
 * Stands at every call of a simulated storage. It runs on the caller's thread and outside the storage's lock, so it may
 * call the storage itself (those calls pass the hook too), wait, or throw.
 */
public interface CallHook {

    /** A hook that does nothing. */
    CallHook NONE = new CallHook() {};

    /** An exception thrown here reaches the caller, and the call is not done. */
    default void before(Call call) {}

    /** An exception thrown here reaches the caller although the call is done: its answer is lost. */
    default void after(Call call) {}
}
