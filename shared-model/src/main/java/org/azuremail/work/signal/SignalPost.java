package org.azuremail.work.signal;

import org.azuremail.work.instance.Instance;

/** Carries a signal to another process. */
@FunctionalInterface
public interface SignalPost {

    /** Takes a second at most, and answers SILENT rather than throw. */
    Signal.Answer post(Instance to, Signal signal);
}
