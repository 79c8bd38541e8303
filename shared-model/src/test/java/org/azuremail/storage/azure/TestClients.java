package org.azuremail.storage.azure;

import com.azure.core.http.policy.HttpPipelinePolicy;
import java.time.Duration;
import java.time.Instant;
import org.azuremail.storage.azurite.TestAccount;
import org.azuremail.time.Time;

/** Clients as the product makes them, of the account on which the contracts run. */
final class TestClients {

    private TestClients() {}

    /** Builds clients of the account for tests, with policies that see each single try. */
    static AzureAccount of(HttpPipelinePolicy... nearTheWire) {
        return AzureAccount.of(properties(TestAccount.connectionString()), Time.system(), nearTheWire);
    }

    /** Like {@link #of}, but without pauses between attempts. */
    static AzureAccount withoutPauses(HttpPipelinePolicy... nearTheWire) {
        return AzureAccount.of(properties(TestAccount.connectionString()), new NoTimePasses(), nearTheWire);
    }

    /** The product's defaults. */
    static AzureProperties properties(String connectionString) {
        return new AzureProperties(
                connectionString, null, null, Duration.ofSeconds(2), Duration.ofSeconds(8), Duration.ofSeconds(20));
    }

    private static final class NoTimePasses implements Time {

        @Override
        public Instant instant() {
            return Instant.EPOCH;
        }

        @Override
        public Duration elapsed() {
            return Duration.ZERO;
        }

        @Override
        public void sleep(Duration duration) {}
    }
}
