package org.azuremail.web.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.azuremail.id.SeededIds;
import org.azuremail.list.ListName;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;

class KeyQuotasTest {

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time);
    private final ApiKeys keys = new ApiKeys(storage.storage(), new SeededIds(1), time);
    private final KeyQuotas quotas = process(100);
    private final AtomicInteger calls = new AtomicInteger();

    @Test
    void aKeyMakesAsManyCallsASecondAsItsQuotaSays() {
        ApiKey key = key(0);
        int first = granted(quotas, key, 1000);
        assertThat(first).isEqualTo(100);

        int later = 0;
        for (int quarter = 0; quarter < 40; quarter++) {
            time.advance(Duration.ofMillis(250));
            later += granted(quotas, key, 500);
        }

        assertThat(later).as("in ten seconds").isBetween(950, 1001);
    }

    @Test
    void allWebProcessesShareTheQuota() {
        ApiKey key = key(60);
        KeyQuotas other = process(100);

        int granted = IntStream.range(0, 300)
                .map(i -> granted(i % 2 == 0 ? quotas : other, key, 1))
                .sum();

        assertThat(granted).isEqualTo(60);
    }

    @Test
    void threeThousandCallsASecondCostAFewCallsOfTheStorage() {
        ApiKey key = key(6000);
        quotas.call(key);
        count();
        int granted = 0;
        for (int millis = 0; millis < 10_000; millis += 10) {
            time.advance(Duration.ofMillis(10));
            granted += granted(quotas, key, 30);
        }

        assertThat(granted).isEqualTo(30_000);
        assertThat(calls.get()).as("calls of the storage in ten seconds").isLessThan(60);
    }

    @Test
    void callsBeyondTheQuotaCostTheStorageFourLooksASecondAtMost() {
        ApiKey key = key(1);
        quotas.call(key);
        count();
        for (int millis = 0; millis < 10_000; millis += 10) {
            time.advance(Duration.ofMillis(10));
            granted(quotas, key, 30);
        }

        assertThat(calls.get()).as("calls of the storage in ten seconds").isLessThan(100);
    }

    @Test
    void anotherDefaultHoldsFromTheNextStart() {
        ApiKey key = key(0);
        quotas.call(key);

        assertThat(process(7).call(key).limit()).isEqualTo(7);
    }

    @Test
    void theAnswerSaysHowManyAreLeft() {
        ApiKey key = key(10);

        assertThat(quotas.call(key)).isEqualTo(new KeyQuotas.Answer(true, 10, 9));
        granted(quotas, key, 9);
        assertThat(quotas.call(key)).isEqualTo(new KeyQuotas.Answer(false, 10, 0));
    }

    @Test
    void aRevokedKeyLeavesNoCountBehind() {
        ApiKey revoked = key(10);
        ApiKey kept = key(10);
        quotas.call(revoked);
        quotas.call(kept);
        assertThat(counts()).hasSize(2);

        keys.revoke(revoked.id());

        assertThat(counts()).containsExactly("key." + kept.id());
    }

    /** The process read the key before the key was revoked. */
    @Test
    void aCountOfACallThatOutlastedItsKeyGoesWithTheRevocation() {
        ApiKey revoked = key(10);
        keys.revoke(revoked.id());
        quotas.call(revoked);
        assertThat(counts()).hasSize(1);

        time.advance(Duration.ofDays(91));
        keys.removeOldRevocations();

        assertThat(counts()).isEmpty();
    }

    private List<String> counts() {
        return Rows.all(storage.tables(), "work", KeyRange.partition("rate")).stream()
                .map(Row::rowKey)
                .toList();
    }

    private KeyQuotas process(int usually) {
        return new KeyQuotas(storage.storage(), time, new KeyProperties(usually));
    }

    private ApiKey key(int requestsPerSecond) {
        return keys.create(
                        keys.nextSecret(),
                        new ApiKey.Terms(
                                "shop", ApiKey.Scope.SUBSCRIBE, Set.of(new ListName("news")), null, requestsPerSecond),
                        "test")
                .key();
    }

    private static int granted(KeyQuotas quotas, ApiKey key, int calls) {
        return (int) IntStream.range(0, calls)
                .filter(i -> quotas.call(key).granted())
                .count();
    }

    private void count() {
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                calls.incrementAndGet();
            }
        });
    }
}
