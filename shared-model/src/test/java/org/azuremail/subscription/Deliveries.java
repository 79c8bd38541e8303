package org.azuremail.subscription;

import org.azuremail.work.service.Delivery;

/** Deliveries without a work runtime. */
public final class Deliveries {

    private Deliveries() {}

    public static Delivery first() {
        return number(1);
    }

    public static Delivery number(int dequeueCount) {
        return new Delivery() {
            @Override
            public String itemId() {
                return "1";
            }

            @Override
            public int dequeueCount() {
                return dequeueCount;
            }

            @Override
            public boolean stopping() {
                return false;
            }
        };
    }
}
