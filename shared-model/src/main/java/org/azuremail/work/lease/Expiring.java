package org.azuremail.work.lease;

/** Rows that expire. One scheduled service of the web role removes the expired rows of all such beans once a day. */
public interface Expiring {

    /** Removes expired rows. Repeatable, and safe beside readers, which take expired rows for absent. */
    void removeExpired();
}
