package org.azuremail.work.lease;

/** Rows that expire. One scheduled service of the web role removes the expired rows of all such beans once a day. */
public interface Expiring {

    /** Removes expired rows. Can be repeated, and is safe beside readers, which treat expired rows as absent. */
    void removeExpired();
}
