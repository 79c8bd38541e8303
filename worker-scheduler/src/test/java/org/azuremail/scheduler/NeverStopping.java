package org.azuremail.scheduler;

import org.azuremail.work.service.Delivery;

/** The first delivery of an item to a process that is not stopping. */
enum NeverStopping implements Delivery {
    DELIVERY;

    @Override
    public String itemId() {
        return "item";
    }

    @Override
    public int dequeueCount() {
        return 1;
    }

    @Override
    public boolean stopping() {
        return false;
    }
}
