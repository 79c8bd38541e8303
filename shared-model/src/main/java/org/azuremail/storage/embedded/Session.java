package org.azuremail.storage.embedded;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A connection and the statements prepared on it. Used by one thread at a time. */
final class Session implements AutoCloseable {

    private final Connection connection;
    private final Map<String, PreparedStatement> statements = new HashMap<>();

    Session(Connection connection) {
        this.connection = connection;
    }

    interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Returns a statement, prepared once, with these arguments bound. */
    PreparedStatement statement(String sql, Object... arguments) throws SQLException {
        PreparedStatement statement = statements.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            statements.put(sql, statement);
        }
        for (int i = 0; i < arguments.length; i++) {
            bind(statement, i + 1, arguments[i]);
        }
        return statement;
    }

    int update(String sql, Object... arguments) throws SQLException {
        return statement(sql, arguments).executeUpdate();
    }

    /** Returns the rows of a query, or of a change with {@code RETURNING}. */
    <T> List<T> list(RowReader<T> reader, String sql, Object... arguments) throws SQLException {
        List<T> rows = new ArrayList<>();
        try (ResultSet result = statement(sql, arguments).executeQuery()) {
            while (result.next()) {
                rows.add(reader.read(result));
            }
        }
        return rows;
    }

    /** Returns the first row of a query, or of a change with {@code RETURNING}. */
    <T> Optional<T> first(RowReader<T> reader, String sql, Object... arguments) throws SQLException {
        try (ResultSet result = statement(sql, arguments).executeQuery()) {
            return result.next() ? Optional.of(reader.read(result)) : Optional.empty();
        }
    }

    /** Returns the only number of a query, or the default if the query returns no row. */
    long number(long missing, String sql, Object... arguments) throws SQLException {
        return first(result -> result.getLong(1), sql, arguments).orElse(missing);
    }

    boolean exists(String sql, Object... arguments) throws SQLException {
        return first(result -> true, sql, arguments).isPresent();
    }

    /** Runs a statement without keeping it prepared. */
    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Runs all steps of a statement. {@link #execute} runs only its first step. */
    void executeWhole(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    private static void bind(PreparedStatement statement, int index, Object argument) throws SQLException {
        if (argument instanceof String text) {
            statement.setString(index, text);
        } else if (argument instanceof Long number) {
            statement.setLong(index, number);
        } else if (argument instanceof Integer number) {
            statement.setInt(index, number);
        } else {
            statement.setBytes(index, (byte[]) argument);
        }
    }

    /** Closes the connection and its statements, and rolls back changes that were not committed. */
    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
