package org.azuremail.storage.azure;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.azuremail.id.CompactIds;
import org.azuremail.id.IdSource;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.FreshNames;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Storage;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.TableStoreContract;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.work.InlineWork;
import org.azuremail.work.lease.Lease;
import org.azuremail.work.lease.Leases;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/**
 * I6 on the tables: requests take effect but their answers are lost. Each kind of call then reports only what the port
 * allows, and a caller that reads again decides correctly.
 */
class TableLostAnswersIT {

    private final LostAnswers answers = new LostAnswers();
    private final TableStore tables =
            new AzureTableStore(TestClients.withoutPauses(answers).tables());
    private final String table = FreshNames.next();

    TableLostAnswersIT() {
        tables.createTable(table);
    }

    private static Values n(long number) {
        return Values.of("N", number);
    }

    private WriteResult writeWithALostAnswer(Write... writes) {
        answers.loseThe(1);
        WriteResult result = tables.write(table, "p", List.of(writes));
        assertThat(answers.lost()).isOne();
        assertThat(answers.tries()).isEqualTo(2);
        return result;
    }

    private Row row(String key) {
        return tables.get(table, "p", key).orElseThrow();
    }

    private Row written(String key) {
        assertThat(tables.write(table, "p", Write.upsert(key, n(0))).written()).isTrue();
        return row(key);
    }

    @Test
    void lostInsertShowsExists() {
        assertThat(writeWithALostAnswer(Write.insert("r", n(1)))).isEqualTo(new WriteResult.Exists());
        assertThat(row("r").values()).isEqualTo(n(1));
    }

    @Test
    void lostReplaceShowsStale() {
        Row before = written("r");
        assertThat(writeWithALostAnswer(Write.replace(before, n(1)))).isEqualTo(new WriteResult.Stale());
        assertThat(row("r").values()).isEqualTo(n(1));
    }

    @Test
    void lostDeleteShowsMissing() {
        Row before = written("r");
        assertThat(writeWithALostAnswer(Write.delete(before))).isEqualTo(new WriteResult.Missing());
        written("r");
        assertThat(writeWithALostAnswer(Write.delete("r"))).isEqualTo(new WriteResult.Missing());
        assertThat(tables.get(table, "p", "r")).isEmpty();
    }

    @Test
    void lostUpsertIsRepeated() {
        WriteResult result = writeWithALostAnswer(Write.upsert("r", n(1)));
        assertThat(result).isEqualTo(new WriteResult.Written(List.of(row("r").etag())));
    }

    @Test
    void lostBatchShowsTheResultOfItsFirstWrite() {
        Row before = written("fence");
        Row gone = written("gone");
        Row two = written("two");

        assertThat(writeWithALostAnswer(Write.insert("a", n(1)), Write.replace(before, n(1))))
                .isEqualTo(new WriteResult.Exists());
        assertThat(writeWithALostAnswer(Write.replace(row("fence"), n(2)), Write.upsert("b", n(2))))
                .isEqualTo(new WriteResult.Stale());
        assertThat(writeWithALostAnswer(Write.delete(gone), Write.delete(two))).isEqualTo(new WriteResult.Missing());

        assertThat(row("a").values()).isEqualTo(n(1));
        assertThat(row("fence").values()).isEqualTo(n(2));
        assertThat(row("b").values()).isEqualTo(n(2));
        assertThat(tables.query(table, KeyRange.partition("p"), 10, null).items())
                .extracting(Row::rowKey)
                .containsExactly("a", "b", "fence");
    }

    @Test
    void readsAndNewTablesLoseNothing() {
        Row row = written("r");
        written("s");

        answers.loseThe(1);
        assertThat(tables.get(table, "p", "r")).hasValue(row);
        answers.loseThe(1);
        assertThat(tables.get(table, "p", "nobody")).isEmpty();
        answers.loseThe(1);
        Page<Row> first = tables.query(table, KeyRange.partition("p"), 1, null);
        assertThat(first.items()).containsExactly(row);
        answers.loseThe(1);
        assertThat(tables.query(table, KeyRange.partition("p"), 1, first.continuation())
                        .items())
                .extracting(Row::rowKey)
                .containsExactly("s");
        String other = FreshNames.next();
        answers.loseThe(1);
        tables.createTable(other);
        assertThat(answers.lost()).isOne();
        assertThat(tables.get(other, "p", "r")).isEmpty();
    }

    @Test
    void refusalRemainsARefusal() {
        Row before = written("r");
        Row now = written("r");

        assertThat(writeWithALostAnswer(Write.insert("r", n(1)))).isEqualTo(new WriteResult.Exists());
        assertThat(writeWithALostAnswer(Write.replace(before, n(1)))).isEqualTo(new WriteResult.Stale());
        assertThat(writeWithALostAnswer(Write.delete(before))).isEqualTo(new WriteResult.Stale());
        assertThat(writeWithALostAnswer(Write.upsert("s", n(1)), Write.delete(before)))
                .isEqualTo(new WriteResult.Stale());
        assertThat(row("r")).isEqualTo(now);
    }

    @Test
    @DisplayName("I6: conditional writes know their own work again, whichever answer is lost")
    void i6_conditionalWritesDecideRight() {
        for (int lost = 1; lost <= 3; lost++) {
            Key key = new Key("p", "conditional" + lost);
            answers.loseThe(lost);
            Versioned<Values> inserted = done(ConditionalWrites.insert(tables, table, key, n(1), values -> values));
            answers.loseThe(lost);
            Versioned<Values> replaced =
                    done(ConditionalWrites.replace(tables, table, key, n(2), inserted.etag(), values -> values));
            answers.loseThe(lost);
            assertThat(ConditionalWrites.replace(tables, table, key, n(3), inserted.etag(), values -> values))
                    .isEqualTo(new Saved.Conflict<>(replaced));
        }
    }

    private static Versioned<Values> done(Saved<Values> saved) {
        return saved.done().orElseThrow(() -> new AssertionError("was not done: " + saved));
    }

    @Test
    @DisplayName("I6: a lease is held by one, whichever answers are lost")
    void i6_leaseIsHeldByOne() {
        ManualTime time = new ManualTime();
        Leases mine = InlineWork.leases(storage(), time, IdSource.secure(), Duration.ZERO);
        Leases theirs = InlineWork.leases(storage(), time, IdSource.secure(), Duration.ZERO);
        for (int every = 1; every <= 3; every++) {
            String name = FreshNames.next();
            answers.loseEvery(every + 1);
            Lease lease = mine.acquire(name, Leases.ACTIVE).orElseThrow();
            assertThat(lease.epoch()).isOne();
            assertThat(theirs.acquire(name, Leases.ACTIVE)).isEmpty();
            assertThat(lease.renew(Leases.ACTIVE)).isTrue();
            lease.release();
            assertThat(theirs.acquire(name, Leases.ACTIVE).orElseThrow().epoch())
                    .isEqualTo(2);
            assertThat(lease.renew(Leases.ACTIVE)).isFalse();
        }
    }

    @Test
    @DisplayName("I6: no compact id comes twice, whichever answers are lost")
    void i6_compactIdsAreUnique() {
        String counter = FreshNames.next();
        Set<Long> seen = new HashSet<>();
        for (int every : new int[] {4, 5, 7}) {
            answers.loseEvery(every);
            List<CompactIds> processes = List.of(new CompactIds(storage()), new CompactIds(storage()));
            for (int i = 0; i < 40; i++) {
                assertThat(seen.add(processes.get(i % 2).next(counter))).isTrue();
            }
            assertThat(answers.lost()).isPositive();
        }
    }

    private Storage storage() {
        Storage others = new SimulatedStorage(new ManualTime()).storage();
        return new Storage(tables, others.queues(), others.blobs());
    }

    /** Runs the whole contract while the first answer to each call that only reads, or may be repeated, is lost. */
    @Nested
    class ReadsAndNewTables implements TableStoreContract {

        private static final TableStore STORE =
                TestClients.withoutPauses(new FirstAnswersOfReads()).storage().tables();

        @Override
        public TableStore tables() {
            return STORE;
        }
    }

    /** Drops the first answer to each call that reads or creates a table. */
    private static final class FirstAnswersOfReads implements HttpPipelinePolicy {

        private final LostAnswers lost = new LostAnswers();
        private final Set<String> calls = ConcurrentHashMap.newKeySet();

        FirstAnswersOfReads() {
            lost.loseEvery(1);
        }

        @Override
        public HttpPipelinePosition getPipelinePosition() {
            return HttpPipelinePosition.PER_RETRY;
        }

        @Override
        public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
            return losesTo(context.getHttpRequest()) ? lost.processSync(context, next) : next.processSync();
        }

        /** Returns whether to drop the answer. All attempts of a call have the same number. */
        private boolean losesTo(HttpRequest request) {
            boolean reads = request.getHttpMethod() == HttpMethod.GET
                    || request.getUrl().getPath().endsWith("/Tables");
            return reads && calls.add(request.getHeaders().getValue(HttpHeaderName.X_MS_CLIENT_REQUEST_ID));
        }

        @Override
        public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
            throw new UnsupportedOperationException("tables are called synchronously");
        }
    }
}
