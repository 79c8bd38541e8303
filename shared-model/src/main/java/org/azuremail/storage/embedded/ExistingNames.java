package org.azuremail.storage.embedded;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;

/**
 * The names of existing tables, queues or containers. None of these is ever deleted, so a name that was found once is
 * not looked up again.
 */
final class ExistingNames {

    /** The prefix of the SQLite table that holds a table of the port. */
    static final String TABLES = "t_";

    /** The prefix of the SQLite table that holds a queue. */
    static final String QUEUES = "q_";

    private final String what;
    private final String sql;
    private final String prefix;
    private final Readers readers;
    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    /**
     * @param what the kind of name, for messages
     * @param sql the query that finds a name
     * @param prefix the prefix of the name inside the file
     */
    ExistingNames(String what, String sql, String prefix, Readers readers) {
        this.what = what;
        this.sql = sql;
        this.prefix = prefix;
        this.readers = readers;
    }

    /** Returns the names of one kind that have SQLite tables of their own. */
    static ExistingNames ofTables(String what, String prefix, Readers readers) {
        return new ExistingNames(
                what, "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", prefix, readers);
    }

    String inFile(String name) {
        return '"' + prefix + name + '"';
    }

    /**
     * Returns the quoted name of an existing table, queue or container inside the file.
     *
     * @throws StorageException MISSING if it does not exist
     */
    String require(String name) {
        if (!exists(name)) {
            throw new StorageException(Reason.MISSING, "there is no " + what + " " + name, null);
        }
        return inFile(name);
    }

    boolean exists(String name) {
        if (seen.contains(name)) {
            return true;
        }
        boolean exists = readers.read(what + " " + name, session -> session.exists(sql, prefix + name));
        if (exists) {
            seen.add(name);
        }
        return exists;
    }
}
