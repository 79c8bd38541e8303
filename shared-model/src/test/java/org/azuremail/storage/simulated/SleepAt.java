package org.azuremail.storage.simulated;

/** The caller sleeps before one of its calls, while others act. Their calls are counted on, and do not begin it again. */
public final class SleepAt implements CallHook {

    private final int call;
    private final Runnable meanwhile;
    private int calls;

    /** @param call at which the caller sleeps, from 1 */
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

    /** Returns whether there was such a call. */
    public boolean slept() {
        return calls >= call;
    }
}
