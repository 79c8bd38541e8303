package org.azuremail.storage.embedded;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.TreeSet;
import org.azuremail.storage.StorageInventory;

/** Reads from the file what tables, queues and containers were made in it. */
record Inventory(Readers readers) {

    private static final String TABLES =
            "SELECT substr(name, 3) FROM sqlite_schema WHERE type = 'table'" + " AND substr(name, 1, 2) = ?";
    private static final String CONTAINERS = "SELECT name FROM container";

    StorageInventory read() {
        return readers.read(
                "look what there is",
                session -> new StorageInventory(
                        names(session, TABLES, Names.TABLES),
                        names(session, TABLES, Names.QUEUES),
                        names(session, CONTAINERS)));
    }

    private static TreeSet<String> names(Session session, String sql, Object... arguments) throws SQLException {
        TreeSet<String> names = new TreeSet<>();
        try (ResultSet result = session.statement(sql, arguments).executeQuery()) {
            while (result.next()) {
                names.add(result.getString(1));
            }
        }
        return names;
    }
}
