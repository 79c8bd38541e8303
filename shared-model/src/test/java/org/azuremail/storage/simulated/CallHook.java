package org.azuremail.storage.simulated;

/**
 * A hook that runs at every call of a simulated storage, on the caller's thread and outside the storage's lock. It may
 * wait, throw, or call the storage itself; those calls run the hook, too.
 */
public interface CallHook {

    /** A hook that does nothing. */
    CallHook NONE = new CallHook() {};

    /** Runs before a call. An exception reaches the caller, and the call is not executed. */
    default void before(Call call) {}

    /** Runs after a call. An exception reaches the caller although the call was executed, so its answer is lost. */
    default void after(Call call) {}
}
