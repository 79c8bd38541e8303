package org.azuremail.storage.azure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.azuremail.storage.FreshNames;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.junit.jupiter.api.Test;

/** Checks that each call of the port is one request, which is the unit that Azure bills. */
class TableRequestsIT {

    /** Counts the requests and drops no answer. */
    private final LostAnswers requests = new LostAnswers();

    private final TableStore tables =
            new AzureTableStore(TestClients.of(requests).tables());
    private final String table = FreshNames.next();

    private <T> T one(Supplier<T> call) {
        requests.loseThe(0);
        T result = call.get();
        assertThat(requests.tries()).isOne();
        return result;
    }

    @Test
    void eachCallOfThePortIsOneRequest() {
        one(() -> {
            tables.createTable(table);
            return table;
        });
        one(() -> tables.write(table, "p", Write.insert("single", Values.of("T", "text"))));
        Row row = one(() -> tables.get(table, "p", "single")).orElseThrow();
        one(() -> tables.write(table, "p", Write.replace(row, Values.none())));
        one(() -> tables.write(table, "p", Write.insert("single", Values.none())));
        one(() -> tables.write(table, "p", Write.upsert("long", Values.of("T", "ß".repeat(20_000)))));
        one(() -> tables.write(table, "p", Write.delete("single")));
        one(() -> tables.write(table, "p", Write.delete("single")));
        one(() -> tables.get(table, "p", "single"));
    }

    @Test
    void batchOfAHundredAndAPageAreOneRequest() {
        tables.createTable(table);
        List<Write> batch = new ArrayList<>();
        for (int i = 0; i < TableStore.MAX_BATCH; i++) {
            batch.add(Write.insert("r" + (100 + i), Values.of("N", i)));
        }
        assertThat(one(() -> tables.write(table, "p", batch)).written()).isTrue();
        assertThat(one(() -> tables.write(table, "p", batch)).written()).isFalse();

        Page<Row> first = one(() -> tables.query(table, KeyRange.partition("p"), 60, null));
        assertThat(first.items()).hasSize(60);
        Page<Row> second = one(() -> tables.query(table, KeyRange.partition("p"), 60, first.continuation()));
        assertThat(second.items()).hasSize(40);
        assertThat(one(() -> tables.query(table, KeyRange.partition("q"), 60, null))
                        .items())
                .isEmpty();
    }
}
