package org.azuremail.web.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.storage.simulated.SleepAt;
import org.azuremail.time.ManualTime;
import org.azuremail.web.account.Secret;
import org.junit.jupiter.api.Test;

class ApiKeysTest {

    private static final Secret FIRST = new Secret("the-first-key-0123456789-0123456789");

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time);
    private final ApiKeys keys = new ApiKeys(storage.storage(), new SeededIds(1), time);

    @Test
    void aRevokedBootstrapKeyStaysRevokedAfterARestart() {
        keys.createFirst(FIRST);
        assertThat(keys.use(FIRST)).isInstanceOf(ApiKeys.Use.Granted.class);

        keys.revoke(FIRST.hash());
        time.advance(Duration.ofDays(400));
        keys.removeOldRevocations();

        assertThat(keys.createFirst(FIRST)).isFalse();
        assertThat(keys.use(FIRST)).isEqualTo(new ApiKeys.Use.Refused(ApiKeys.Refusal.REVOKED));
        assertThat(keys.all()).isEmpty();
    }

    @Test
    void aBootstrapKeyThatIsRevokedDuringARestartStaysRevoked() {
        keys.createFirst(FIRST);
        storage.hook(new CallHook() {
            @Override
            public void after(Call call) {
                storage.hook(CallHook.NONE);
                keys.revoke(FIRST.hash());
            }
        });

        keys.createFirst(FIRST);

        assertThat(keys.use(FIRST)).isEqualTo(new ApiKeys.Use.Refused(ApiKeys.Refusal.REVOKED));
    }

    /** While this process starts and sleeps, another one creates the key and an admin revokes it. */
    @Test
    void aBootstrapKeyThatIsCreatedAndRevokedDuringAStartStaysRevoked() {
        boolean reached = true;
        for (int call = 1; reached; call++) {
            Secret secret = new Secret("the-key-0123456789-0123456789-number-" + call);
            SleepAt sleeper = new SleepAt(call, () -> {
                keys.createFirst(secret);
                keys.revoke(secret.hash());
            });
            storage.hook(sleeper);
            keys.createFirst(secret);
            storage.hook(CallHook.NONE);
            reached = sleeper.slept();
            if (reached) {
                assertThat(keys.use(secret))
                        .as("at call " + call)
                        .isEqualTo(new ApiKeys.Use.Refused(ApiKeys.Refusal.REVOKED));
            } else {
                keys.revoke(secret.hash());
            }
        }
    }

    @Test
    void anotherBootstrapKeyIsMadeAfterTheFirstWasRevoked() {
        Secret second = new Secret("the-second-key-0123456789-012345678");
        keys.createFirst(FIRST);
        keys.revoke(FIRST.hash());

        assertThat(keys.createFirst(second)).isTrue();
        assertThat(keys.use(second)).isInstanceOf(ApiKeys.Use.Granted.class);
    }

    @Test
    void noBootstrapKeyIsMadeBesideAWorkingAdminKeyButBesideOthers() {
        keys.create(keys.nextSecret(), ApiKey.Terms.of("metrics", ApiKey.Scope.METRICS, Set.of()), "ann@example.org");
        Instant tomorrow = time.instant().plus(Duration.ofDays(1));
        keys.create(
                keys.nextSecret(),
                new ApiKey.Terms("admin", ApiKey.Scope.ADMIN, Set.of(), tomorrow, 0),
                "ann@example.org");

        assertThat(keys.createFirst(FIRST)).isTrue();
        assertThat(keys.use(FIRST)).isEqualTo(new ApiKeys.Use.Refused(ApiKeys.Refusal.UNKNOWN));

        time.advance(Duration.ofDays(1));
        assertThat(keys.createFirst(FIRST)).isTrue();
        assertThat(keys.use(FIRST)).isInstanceOf(ApiKeys.Use.Granted.class);
    }

    /** The call records the use in the same row. */
    @Test
    void aKeyThatIsUsedAtTheMomentOfItsRevocationIsRevoked() {
        keys.createFirst(FIRST);
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind().changes()) {
                    storage.hook(CallHook.NONE);
                    keys.use(FIRST);
                }
            }
        });

        keys.revoke(FIRST.hash());

        assertThat(keys.use(FIRST)).isEqualTo(new ApiKeys.Use.Refused(ApiKeys.Refusal.REVOKED));
    }

    @Test
    void theUseOfAKeyIsNotedOnceAnHour() {
        keys.createFirst(FIRST);
        Instant first = time.instant();
        keys.use(FIRST);
        time.advance(Duration.ofHours(1));
        keys.use(FIRST);
        assertThat(keys.all().get(0).lastUsedAt()).isEqualTo(first);

        time.advance(Duration.ofMillis(1));
        keys.use(FIRST);
        assertThat(keys.all().get(0).lastUsedAt()).isEqualTo(time.instant());
    }

    @Test
    void aKeyWorksUntilItsLastMomentAndNoLonger() {
        Secret secret = keys.create(
                        keys.nextSecret(),
                        new ApiKey.Terms(
                                "partner",
                                ApiKey.Scope.ADMIN,
                                Set.of(),
                                time.instant().plusSeconds(60),
                                0),
                        "ann@example.org")
                .secret();

        time.advance(Duration.ofSeconds(59));
        assertThat(keys.use(secret)).isInstanceOf(ApiKeys.Use.Granted.class);
        time.advance(Duration.ofSeconds(1));
        assertThat(keys.use(secret)).isEqualTo(new ApiKeys.Use.Refused(ApiKeys.Refusal.EXPIRED));
        assertThat(keys.all()).hasSize(1);
    }

    @Test
    void aKeyOfAnOlderVersionWorksWithoutAnEnd() {
        Values old = Values.builder()
                .put("Label", "shop")
                .put("Hint", "am_1234")
                .put("Scope", "SUBSCRIBE")
                .put("Lists", "news,offers")
                .put("CreatedAt", time.instant())
                .put("CreatedBy", "ann@example.org")
                .build();
        storage.tables().write("apikey", "keys", Write.insert(FIRST.hash(), old));
        time.advance(Duration.ofDays(10_000));

        ApiKey key = ((ApiKeys.Use.Granted) keys.use(FIRST)).key();

        assertThat(key.expiresAt()).isNull();
        assertThat(key.owner()).isEqualTo("ann@example.org");
        assertThat(key.scope()).isEqualTo(ApiKey.Scope.SUBSCRIBE);
    }

    /** An older version knows two scopes, and would fail to read a third one. */
    @Test
    void anOlderVersionTakesAMetricsKeyForOneThatMayDoNothing() {
        keys.create(
                keys.nextSecret(), ApiKey.Terms.of("prometheus", ApiKey.Scope.METRICS, Set.of()), "ann@example.org");

        Values stored = rows().get(0).values();

        assertThat(stored.requireString("Scope")).isEqualTo("SUBSCRIBE");
        assertThat(stored.string("Lists", "")).isEmpty();
        assertThat(keys.all().get(0).scope()).isEqualTo(ApiKey.Scope.METRICS);
    }

    @Test
    void theRowsOfRevokedKeysGoAfterNinetyDays() {
        for (int i = 0; i < 5; i++) {
            revokeANewOne();
        }
        time.advance(Duration.ofDays(89));
        keys.removeOldRevocations();
        assertThat(rows()).hasSize(5);

        time.advance(Duration.ofDays(2));
        keys.removeOldRevocations();
        assertThat(rows()).isEmpty();
    }

    /** A program may replace its keys every day with the key of the settings. */
    @Test
    void theRowsOfRevokedKeysThatTheBootstrapKeyCreatedGoToo() {
        keys.createFirst(FIRST);
        String owner = keys.find(FIRST.hash()).orElseThrow().owner();
        ApiKey.Terms terms = ApiKey.Terms.of("shop", ApiKey.Scope.ADMIN, Set.of());
        keys.revoke(keys.create(keys.nextSecret(), terms, owner).key().id());
        keys.revoke(FIRST.hash());
        time.advance(Duration.ofDays(91));

        keys.removeOldRevocations();

        assertThat(rows()).hasSize(1);
        assertThat(keys.createFirst(FIRST)).isFalse();
    }

    @Test
    void revokingAnIdThatIsNoneDoesNothing() {
        keys.createFirst(FIRST);
        keys.revoke(FIRST.hash());

        keys.revoke("revoked:" + FIRST.hash());
        keys.revoke("no/such\\key?#");
        keys.revoke("a".repeat(3_000));

        assertThat(keys.createFirst(FIRST)).isFalse();
    }

    private void revokeANewOne() {
        keys.revoke(
                keys.create(keys.nextSecret(), ApiKey.Terms.of("one", ApiKey.Scope.ADMIN, Set.of()), "ann@example.org")
                        .key()
                        .id());
    }

    private List<Row> rows() {
        return Rows.all(storage.tables(), "apikey", KeyRange.everything());
    }
}
