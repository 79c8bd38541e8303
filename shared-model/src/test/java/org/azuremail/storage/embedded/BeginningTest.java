package org.azuremail.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteErrorCode;

/** Checks that a write which cannot begin while the log is being shortened begins a little later. */
class BeginningTest {

    private final AtomicInteger tries = new AtomicInteger();

    @TempDir
    private Path directory;

    private int failing(SQLiteErrorCode code, int times) throws SQLException {
        if (tries.incrementAndGet() <= times) {
            throw new SQLException("as SQLite says it", null, code.code);
        }
        return tries.get();
    }

    private int read(SQLiteErrorCode code, int times) throws SQLException {
        DataFile file = DataFile.in(directory);
        Writer writer = new Writer(file, Schema.CURRENT, new ManualTime());
        Readers readers = new Readers(file);
        try {
            return readers.read("a row", session -> failing(code, times));
        } finally {
            readers.close();
            writer.close();
        }
    }

    @Test
    void readThatCouldNotBeginIsRetried() throws SQLException {
        assertThat(read(SQLiteErrorCode.SQLITE_PROTOCOL, 2)).isEqualTo(3);
    }

    @Test
    void writeThatCouldNotBeginIsRetried() throws SQLException {
        PreparedStatement begins = (PreparedStatement) Proxy.newProxyInstance(
                PreparedStatement.class.getClassLoader(),
                new Class<?>[] {PreparedStatement.class},
                (proxy, method, arguments) -> failing(SQLiteErrorCode.SQLITE_PROTOCOL, 2));
        Connection connection = (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    assertThat(arguments).containsExactly("BEGIN IMMEDIATE");
                    return begins;
                });

        Writer.begin(new Session(connection));

        assertThat(tries).hasValue(3);
    }

    @Test
    void readThatNeverBeginsIsThrottled() {
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> read(SQLiteErrorCode.SQLITE_PROTOCOL, 9))
                .satisfies(failure -> assertThat(failure.reason()).isEqualTo(Reason.THROTTLED));
        assertThat(tries).hasValue(3);
    }

    @Test
    void otherErrorsAreNotRetried() {
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> read(SQLiteErrorCode.SQLITE_IOERR, 1))
                .satisfies(failure -> assertThat(failure.reason()).isEqualTo(Reason.UNAVAILABLE));
        assertThat(tries).hasValue(1);
    }
}
