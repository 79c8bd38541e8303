package org.azuremail.storage.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import org.azuremail.storage.FreshNames;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.azurite.Azurite;
import org.azuremail.storage.azurite.StorageProxy;
import org.azuremail.time.Time;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Checks that every call during an outage ends with its reason, and that the next one after the outage succeeds.
 * {@link RetryWithinDeadlineTest} checks with a driven clock when calls end.
 */
class OutageIT {

    private final StorageProxy proxy = StorageProxy.to(Azurite.shared());
    private final TableStore tables = new AzureTableStore(AzureAccount.of(
                    new AzureProperties(
                            proxy.connectionString(),
                            null,
                            null,
                            Duration.ofSeconds(1),
                            Duration.ofMillis(500),
                            Duration.ofSeconds(2)),
                    Time.system())
            .tables());
    private final String table = FreshNames.next();

    @AfterEach
    void close() {
        proxy.close();
    }

    @Test
    void silentStorageEndsEachCall() {
        outage(proxy::hang, Reason.TIMED_OUT);
    }

    @Test
    void brokenConnectionsEndEachCall() {
        outage(proxy::breakOff, Reason.UNAVAILABLE);
    }

    private void outage(Runnable begin, Reason reason) {
        Values value = Values.of("N", 1);
        // The first call is slow, because it loads libraries.
        patiently(() -> tables.createTable(table));
        patiently(() -> tables.write(table, "p", Write.upsert("before", value)));

        begin.run();

        List<Runnable> calls = List.of(
                () -> tables.createTable(table),
                () -> tables.get(table, "p", "before"),
                () -> tables.query(table, KeyRange.everything(), 10, null),
                () -> tables.write(table, "p", Write.insert("during", value)),
                () -> tables.write(table, "p", List.of(Write.delete("before"), Write.upsert("during", value))));
        for (Runnable call : calls) {
            assertThatExceptionOfType(StorageException.class)
                    .isThrownBy(call::run)
                    .satisfies(failure -> {
                        assertThat(failure.reason()).isEqualTo(reason);
                        assertThat(failure.retryable()).isTrue();
                    });
        }

        proxy.pass();

        patiently(() -> tables.write(table, "p", Write.upsert("after", value)));
        assertThat(tables.query(table, KeyRange.everything(), 10, null).items())
                .extracting(Row::rowKey)
                .contains("after");
    }

    /** Repeats a call, because a busy machine may need longer than these clients wait. */
    private static void patiently(Runnable call) {
        for (int tries = 0; ; tries++) {
            try {
                call.run();
                return;
            } catch (StorageException e) {
                if (tries == 10) {
                    throw e;
                }
            }
        }
    }
}
