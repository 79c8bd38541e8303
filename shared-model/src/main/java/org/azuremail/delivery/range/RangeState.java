package org.azuremail.delivery.range;

import java.util.Map;
import java.util.Set;

/**
 * The states of a range. This is the only table of transitions: docs/state-machines.md draws it, and a test walks every
 * pair.
 */
public enum RangeState {
    /** Free to be claimed. */
    OPEN,
    /** An attempt works on it; nothing of the current lot has left. */
    CLAIMED,
    /** A lot is being handed over; after a crash it is in doubt. */
    HANDING,
    /** Every recipient has an outcome. */
    DONE;

    private static final Map<RangeState, Set<RangeState>> NEXT = Map.of(
            OPEN, Set.of(CLAIMED, HANDING),
            CLAIMED, Set.of(CLAIMED, OPEN, HANDING, DONE),
            HANDING, Set.of(HANDING, CLAIMED, OPEN, DONE),
            DONE, Set.of());

    public boolean mayBecome(RangeState next) {
        return NEXT.getOrDefault(this, Set.of()).contains(next);
    }
}
