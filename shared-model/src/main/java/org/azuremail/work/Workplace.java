package org.azuremail.work;

/**
 * What the workers of a process have around them.
 *
 * @param alone whether no other process can be there: nothing is leased, and nobody but this process stores anything
 */
record Workplace(
        WorkRuntime runtime,
        WorkProperties settings,
        InProcessSignals signals,
        Activity activity,
        Switches switches,
        boolean alone) {}
