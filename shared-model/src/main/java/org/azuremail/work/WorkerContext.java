package org.azuremail.work;

import java.util.function.BooleanSupplier;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.signal.InProcessSignals;
import org.azuremail.work.signal.MessageActivity;

/**
 * The parts that the workers of a process share.
 *
 * @param mustPoll returns whether signals of other processes do not reach this process, so that it has to poll
 * @param onlyProcess whether this process can assume that it is the only one, so that it needs no leases and no other
 *     process stores anything
 */
record WorkerContext(
        WorkRuntime runtime,
        WorkProperties settings,
        InProcessSignals signals,
        MessageActivity activity,
        Switches switches,
        BooleanSupplier mustPoll,
        boolean onlyProcess) {}
