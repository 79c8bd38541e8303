package org.azuremail.work;

import java.util.function.BooleanSupplier;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.signal.Activity;
import org.azuremail.work.signal.InProcessSignals;

/**
 * The parts that the workers of a process share.
 *
 * @param deaf whether signals of others do not reach this process, which has to look by itself
 * @param alone whether no other process can be there: nothing is leased, and nobody but this process stores anything
 */
record Workplace(
        WorkRuntime runtime,
        WorkProperties settings,
        InProcessSignals signals,
        Activity activity,
        Switches switches,
        BooleanSupplier deaf,
        boolean alone) {}
