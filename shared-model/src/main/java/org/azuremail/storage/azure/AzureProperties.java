package org.azuremail.storage.azure;

import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.queue.QueueServiceClientBuilder;
import java.time.Duration;
import java.util.Base64;
import java.util.regex.Pattern;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;
import org.springframework.validation.annotation.Validated;

/**
 * The storage account and the time limits of calls to it. Exactly one of connection string and account is set.
 *
 * @param connectionString the connection string of the account, with its key or a shared access signature; a secret
 * @param account the name of the account, for a process that runs under a managed identity
 * @param clientId the managed identity to use if the process has several; needs {@code account}
 * @param connectTimeout the longest wait for a connection
 * @param tryTimeout the longest wait for one answer; a try without an answer is repeated
 * @param deadline the longest duration of a call with all its tries and pauses; at least {@code tryTimeout}
 */
@Validated
@ConfigurationProperties("azuremail.azure")
record AzureProperties(
        @Nullable String connectionString,
        @Nullable String account,
        @Nullable String clientId,
        @DefaultValue("2s") @DurationMin(millis = 1) Duration connectTimeout,
        @DefaultValue("8s") @DurationMin(millis = 1) Duration tryTimeout,
        @DefaultValue("20s") Duration deadline) {

    private static final Pattern ACCOUNT = Pattern.compile("[a-z0-9]{3,24}");
    private static final Pattern CONNECTION_STRING = Pattern.compile(
            "(?i)(.*;)?\\s*(AccountName|SharedAccessSignature|UseDevelopmentStorage)\\s*=.*", Pattern.DOTALL);

    private static final Pattern ACCOUNT_KEY = Pattern.compile("(?i)(?:^|;)\\s*AccountKey\\s*=([^;]*)");

    public AzureProperties {
        connectionString = blankToNull(connectionString);
        account = blankToNull(account);
        clientId = blankToNull(clientId);
        if ((connectionString == null) == (account == null)) {
            throw new IllegalArgumentException("azuremail.storage=azure needs either azuremail.azure.connection-string"
                    + " or azuremail.azure.account: " + (account == null ? "none" : "both") + " is set");
        }
        if (connectionString != null
                && !CONNECTION_STRING.matcher(connectionString).matches()) {
            throw new IllegalArgumentException("azuremail.azure.connection-string names no account: copy it whole from"
                    + " the storage account's access keys");
        }
        if (connectionString != null) {
            requireReadable(connectionString);
        }
        Assert.isTrue(
                account == null || ACCOUNT.matcher(account).matches(),
                "azuremail.azure.account must be 3 to 24 lower-case letters and digits, not " + account);
        Assert.isTrue(clientId == null || account != null, "azuremail.azure.client-id needs azuremail.azure.account");
        Assert.isTrue(
                deadline.compareTo(tryTimeout) >= 0, "azuremail.azure.deadline must not be shorter than try-timeout");
    }

    private static @Nullable String blankToNull(@Nullable String text) {
        return text == null || text.isBlank() ? null : text.trim();
    }

    private static void requireReadable(String connectionString) {
        try {
            new TableServiceClientBuilder().connectionString(connectionString);
            new QueueServiceClientBuilder().connectionString(connectionString);
            new BlobServiceClientBuilder().connectionString(connectionString);
            // The libraries decode the key only when they sign the first request.
            ACCOUNT_KEY.matcher(connectionString).results().forEach(key -> Base64.getDecoder()
                    .decode(key.group(1).strip()));
        } catch (RuntimeException e) {
            // The libraries' messages may contain parts of the secret.
            throw new IllegalArgumentException("azuremail.azure.connection-string cannot be read: copy it whole from"
                    + " the storage account's access keys");
        }
    }

    /** Returns the settings without the connection string, which is a secret. */
    @Override
    public String toString() {
        return "AzureProperties[account=" + (account == null ? "in the connection string" : account)
                + ", connectTimeout=" + connectTimeout + ", tryTimeout=" + tryTimeout + ", deadline=" + deadline + "]";
    }
}
