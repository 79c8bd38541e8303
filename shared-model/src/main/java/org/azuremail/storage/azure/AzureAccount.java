package org.azuremail.storage.azure;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.http.policy.RetryOptions;
import com.azure.core.http.rest.PagedIterable;
import com.azure.core.util.Context;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableItem;
import com.azure.identity.ManagedIdentityCredentialBuilder;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.BlobContainerItem;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import com.azure.storage.queue.QueueMessageEncoding;
import com.azure.storage.queue.QueueServiceClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import com.azure.storage.queue.models.QueueItem;
import com.azure.storage.queue.models.QueuesSegmentOptions;
import java.time.Duration;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggerConfiguration;
import org.springframework.boot.logging.LoggingSystem;

/**
 * The clients of the three services of a storage account, created once in a process. They share one HTTP client
 * (HTTP/1.1 of the JDK) and one retry policy, {@link RetryWithinDeadline}. The retries of Azure's libraries are off.
 * Safe for use by many threads.
 *
 * @param queues the client of the queues, which does not encode items; {@link AzureQueueStore} encodes them
 */
public record AzureAccount(TableServiceClient tables, QueueServiceClient queues, BlobServiceClient blobs) {

    /**
     * The longest time for which an idle connection is kept, in seconds. Networks close connections that are idle for
     * longer, and the client does not notice.
     */
    private static final String MAX_IDLE_CONNECTION = "30";

    private static final String LIBRARIES = "com.azure";

    /** Asks for metadata. Otherwise the library sends {@code include=} without a value, which Azurite refuses. */
    private static final QueuesSegmentOptions WITH_METADATA = new QueuesSegmentOptions().setIncludeMetadata(true);

    /**
     * Opens an account for a program other than the service, with the service's default time-outs. Sends nothing yet.
     *
     * @param connectionString the connection string of the account, or {@code null}
     * @param account the name of the account, for a process that runs under a managed identity, or {@code null}
     * @param clientId the managed identity to use if the process has several, or {@code null}
     * @throws IllegalArgumentException unless exactly one of connection string and account is given, or if it cannot be
     *     read. The message says what to do and contains no secret
     */
    public static AzureAccount open(
            @Nullable String connectionString, @Nullable String account, @Nullable String clientId, Time time) {
        AzureProperties properties = new AzureProperties(
                connectionString,
                account,
                clientId,
                Duration.ofSeconds(2),
                Duration.ofSeconds(8),
                Duration.ofSeconds(20));
        return of(properties, time);
    }

    /**
     * Creates the clients. Sends nothing yet.
     *
     * @param nearTheWire policies that see each single try
     */
    static AzureAccount of(AzureProperties properties, Time time, HttpPipelinePolicy... nearTheWire) {
        silenceLibraries();
        HttpClient http = http(properties);
        RetryWithinDeadline retries = new RetryWithinDeadline(
                time, properties.tryTimeout(), properties.deadline(), () -> ThreadLocalRandom.current()
                        .nextDouble());
        RequestRetryOptions once = new RequestRetryOptions(RetryPolicyType.FIXED, 1, (Integer) null, null, null, null);
        TableServiceClientBuilder tables = new TableServiceClientBuilder()
                .httpClient(http)
                .retryOptions(new RetryOptions(new FixedDelayOptions(0, properties.tryTimeout())))
                .addPolicy(new LineSeparatorEscaping())
                .addPolicy(new XmlAnswerPolicy())
                .addPolicy(retries)
                .addPolicy(new BatchAnswerPolicy());
        QueueServiceClientBuilder queues = new QueueServiceClientBuilder()
                .httpClient(http)
                .messageEncoding(QueueMessageEncoding.NONE)
                .retryOptions(once)
                .addPolicy(retries);
        BlobServiceClientBuilder blobs = new BlobServiceClientBuilder()
                .httpClient(http)
                .retryOptions(once)
                .addPolicy(retries);
        for (HttpPipelinePolicy policy : nearTheWire) {
            tables.addPolicy(policy);
            queues.addPolicy(policy);
            blobs.addPolicy(policy);
        }
        String connectionString = properties.connectionString();
        if (connectionString != null) {
            tables.connectionString(connectionString);
            queues.connectionString(connectionString);
            blobs.connectionString(connectionString);
        } else {
            String endpoint = "https://" + properties.account() + ".%s.core.windows.net";
            TokenCredential identity = new ManagedIdentityCredentialBuilder()
                    .httpClient(http)
                    .clientId(properties.clientId())
                    .build();
            tables.endpoint(endpoint.formatted("table")).credential(identity);
            queues.endpoint(endpoint.formatted("queue")).credential(identity);
            blobs.endpoint(endpoint.formatted("blob")).credential(identity);
        }
        return new AzureAccount(tables.buildClient(), queues.buildClient(), blobs.buildClient());
    }

    /**
     * Turns off the logs of Azure's libraries, unless {@code logging.level.com.azure} is set. The libraries log a
     * warning with each request and an error with each refusal, even if it is the expected answer. Failures are thrown
     * to callers, which know what they mean and log them.
     */
    private static void silenceLibraries() {
        LoggingSystem logging = LoggingSystem.get(AzureAccount.class.getClassLoader());
        LoggerConfiguration configured = logging.getLoggerConfiguration(LIBRARIES);
        if (configured == null || configured.getConfiguredLevel() == null) {
            logging.setLogLevel(LIBRARIES, LogLevel.OFF);
        }
    }

    private static HttpClient http(AzureProperties properties) {
        if (System.getProperty("jdk.httpclient.keepalive.timeout") == null) {
            System.setProperty("jdk.httpclient.keepalive.timeout", MAX_IDLE_CONNECTION);
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

    public Storage storage() {
        return new Storage(new AzureTableStore(tables), new AzureQueueStore(queues), new AzureBlobStore(blobs));
    }

    public String name() {
        return blobs.getAccountName();
    }

    /**
     * Returns the names of everything in the account, including what other programs created.
     *
     * @throws StorageException if it cannot be listed
     */
    public Storage.Inventory inventory() {
        try {
            return new Storage.Inventory(
                    names(tables.listTables(), TableItem::getName),
                    names(queues.listQueues(WITH_METADATA, null, Context.NONE), QueueItem::getName),
                    names(blobs.listBlobContainers(), BlobContainerItem::getName));
        } catch (RuntimeException e) {
            throw AzureErrors.translate("list what is in the account", e);
        }
    }

    private static <T> TreeSet<String> names(PagedIterable<T> items, Function<T, String> name) {
        return items.stream().map(name).collect(Collectors.toCollection(TreeSet::new));
    }
}
