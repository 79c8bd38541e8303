package org.azuremail.storage.azure;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.http.policy.RetryOptions;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.identity.ManagedIdentityCredentialBuilder;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import com.azure.storage.queue.QueueMessageEncoding;
import com.azure.storage.queue.QueueServiceClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * The clients of the account's three services, made once in a process. They share one HTTP client (HTTP/1.1 of the JDK)
 * and one way to repeat calls, {@link RetryWithinDeadline}; the libraries' own repeating is off.
 */
final class AzureClients {

    /** Connections that rest longer are closed in the network between, and nobody says so. */
    private static final String REST_OF_A_CONNECTION = "30";

    private final TableServiceClient tables;
    private final QueueServiceClient queues;
    private final BlobServiceClient blobs;

    private AzureClients(TableServiceClient tables, QueueServiceClient queues, BlobServiceClient blobs) {
        this.tables = tables;
        this.queues = queues;
        this.blobs = blobs;
    }

    /**
     * Makes the clients; nothing is sent yet.
     *
     * @param nearTheWire policies that see each single try
     * @throws IllegalArgumentException when the connection string cannot be read; its text is not in the message
     */
    static AzureClients of(AzureProperties properties, Time time, HttpPipelinePolicy... nearTheWire) {
        LibraryLogs.silence();
        HttpClient http = http(properties);
        RetryWithinDeadline retries = new RetryWithinDeadline(
                time, properties.tryTimeout(), properties.deadline(), () -> ThreadLocalRandom.current()
                        .nextDouble());
        TableServiceClientBuilder tables = new TableServiceClientBuilder()
                .httpClient(http)
                .retryOptions(new RetryOptions(new FixedDelayOptions(0, properties.tryTimeout())))
                .addPolicy(new LineSeparators())
                .addPolicy(retries)
                .addPolicy(new RawAnswers());
        QueueServiceClientBuilder queues = new QueueServiceClientBuilder()
                .httpClient(http)
                .messageEncoding(QueueMessageEncoding.NONE)
                .retryOptions(once())
                .addPolicy(retries);
        BlobServiceClientBuilder blobs = new BlobServiceClientBuilder()
                .httpClient(http)
                .retryOptions(once())
                .addPolicy(retries);
        for (HttpPipelinePolicy policy : List.of(nearTheWire)) {
            tables.addPolicy(policy);
            queues.addPolicy(policy);
            blobs.addPolicy(policy);
        }
        return properties.connectionString() == null
                ? byIdentity(properties, http, tables, queues, blobs)
                : byConnectionString(properties.connectionString(), tables, queues, blobs);
    }

    private static HttpClient http(AzureProperties properties) {
        if (System.getProperty("jdk.httpclient.keepalive.timeout") == null) {
            System.setProperty("jdk.httpclient.keepalive.timeout", REST_OF_A_CONNECTION);
        }
        java.net.http.HttpClient.Builder jdk =
                java.net.http.HttpClient.newBuilder().version(java.net.http.HttpClient.Version.HTTP_1_1);
        return new JdkHttpClientBuilder(jdk)
                .connectionTimeout(properties.connectTimeout())
                .responseTimeout(properties.tryTimeout())
                .readTimeout(properties.tryTimeout())
                .writeTimeout(properties.tryTimeout())
                .build();
    }

    private static RequestRetryOptions once() {
        return new RequestRetryOptions(RetryPolicyType.FIXED, 1, (Integer) null, null, null, null);
    }

    private static AzureClients byConnectionString(
            String connectionString,
            TableServiceClientBuilder tables,
            QueueServiceClientBuilder queues,
            BlobServiceClientBuilder blobs) {
        try {
            return new AzureClients(
                    tables.connectionString(connectionString).buildClient(),
                    queues.connectionString(connectionString).buildClient(),
                    blobs.connectionString(connectionString).buildClient());
        } catch (RuntimeException e) {
            // The libraries' messages may hold parts of the secret.
            throw new IllegalArgumentException("azuremail.azure.connection-string cannot be read: copy it whole from"
                    + " the storage account's access keys (" + e.getClass().getSimpleName() + ")");
        }
    }

    private static AzureClients byIdentity(
            AzureProperties properties,
            HttpClient http,
            TableServiceClientBuilder tables,
            QueueServiceClientBuilder queues,
            BlobServiceClientBuilder blobs) {
        TokenCredential identity = identity(properties.clientId(), http);
        return new AzureClients(
                tables.endpoint(endpoint(properties, "table"))
                        .credential(identity)
                        .buildClient(),
                queues.endpoint(endpoint(properties, "queue"))
                        .credential(identity)
                        .buildClient(),
                blobs.endpoint(endpoint(properties, "blob"))
                        .credential(identity)
                        .buildClient());
    }

    private static TokenCredential identity(@Nullable String clientId, HttpClient http) {
        ManagedIdentityCredentialBuilder identity = new ManagedIdentityCredentialBuilder().httpClient(http);
        return (clientId == null ? identity : identity.clientId(clientId)).build();
    }

    private static String endpoint(AzureProperties properties, String service) {
        return "https://" + properties.account() + "." + service + ".core.windows.net";
    }

    TableServiceClient tables() {
        return tables;
    }

    /** Items are taken and given as they are on the wire: see {@link QueueText}. */
    QueueServiceClient queues() {
        return queues;
    }

    BlobServiceClient blobs() {
        return blobs;
    }
}
