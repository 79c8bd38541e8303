package org.azuremail.work;

import java.util.function.BooleanSupplier;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.signal.Activity;
import org.azuremail.work.signal.InProcessSignals;

/**
 * The parts that the workers of a process share.
 *
 * @param deaf returns whether signals of other processes do not reach this process, so that it has to poll
 * @param alone whether this process can assume that it is the only one, so that it needs no leases and no other process
 *     stores anything
 */
record Workplace(
        WorkRuntime runtime,
        WorkProperties settings,
        InProcessSignals signals,
        Activity activity,
        Switches switches,
        BooleanSupplier deaf,
        boolean alone) {}
