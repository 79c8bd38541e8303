package org.azuremail.storage.simulated;

/**
 * Makes the caller sleep before one of its calls while other processes act. Their calls are counted, too, but do not
 * trigger this again.
 */
public final class SleepAt implements CallHook {

    private final int call;
    private final Runnable meanwhile;
    private int calls;

    /** @param call the number of the call at which the caller sleeps, from 1 */
    public SleepAt(int call, Runnable meanwhile) {
        this.call = call;
        this.meanwhile = meanwhile;
    }

    @Override
    public void before(Call next) {
        if (++calls == call) {
            meanwhile.run();
        }
    }

    /** Returns whether the call was reached. */
    public boolean slept() {
        return calls >= call;
    }
}
