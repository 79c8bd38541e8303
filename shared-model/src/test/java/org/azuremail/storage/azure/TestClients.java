package org.azuremail.storage.azure;

import com.azure.core.http.policy.HttpPipelinePolicy;
import java.time.Duration;
import java.time.Instant;
import org.azuremail.storage.azurite.TestAccount;
import org.azuremail.time.Time;

/** The product's clients of the account on which the contracts run. */
final class TestClients {

    private TestClients() {}

    /** Creates clients of the test account, with policies that see each single attempt. */
    static AzureAccount of(HttpPipelinePolicy... nearTheWire) {
        return AzureAccount.of(properties(TestAccount.connectionString()), Time.system(), nearTheWire);
    }

    /** Returns the same clients as {@link #of}, but the pauses between attempts take no time. */
    static AzureAccount withoutPauses(HttpPipelinePolicy... nearTheWire) {
        return AzureAccount.of(properties(TestAccount.connectionString()), new NoTimePasses(), nearTheWire);
    }

    /** Returns the product's default settings. */
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
