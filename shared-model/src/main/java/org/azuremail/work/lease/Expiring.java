package org.azuremail.work.lease;

/** Rows whose time ends by itself. One scheduled service of the web role removes those of all such beans once a day. */
public interface Expiring {

    /** Removes what is over. Repeatable, and safe beside whoever reads the rows: they take what is over for absent. */
    void removeExpired();
}
