package org.azuremail.storage.azure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.azuremail.storage.Storage;
import org.azuremail.time.ManualTime;
import org.azuremail.time.Time;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class AzureStorageConfigurationTest {

    private static final String KEY = "c2VjcmV0c2VjcmV0c2VjcmV0";
    private static final String CONNECTION_STRING =
            "DefaultEndpointsProtocol=https;AccountName=mail;AccountKey=" + KEY + ";EndpointSuffix=core.windows.net";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withBean(Time.class, ManualTime::new)
            .withUserConfiguration(AzureStorageConfiguration.class)
            .withPropertyValues("azuremail.storage=azure");

    @Test
    void connectionStringNamesTheAccount() {
        runner.withPropertyValues("azuremail.azure.connection-string=" + CONNECTION_STRING)
                .run(context -> assertThat(
                                context.getBean(AzureAccount.class).tables().getServiceEndpoint())
                        .isEqualTo("https://mail.table.core.windows.net"));
    }

    @Test
    void portsAreThoseOfTheAccount() {
        runner.withPropertyValues("azuremail.azure.connection-string=" + CONNECTION_STRING)
                .run(context -> {
                    Storage storage = context.getBean(Storage.class);
                    assertThat(storage.tables()).extracting("real").isInstanceOf(AzureTableStore.class);
                    assertThat(storage.queues()).extracting("real").isInstanceOf(AzureQueueStore.class);
                    assertThat(storage.blobs()).extracting("real").isInstanceOf(AzureBlobStore.class);
                });
    }

    @Test
    void accountIsReachedUnderAnIdentity() {
        runner.withPropertyValues("azuremail.azure.account=mail", "azuremail.azure.client-id=who")
                .run(context -> {
                    AzureAccount clients = context.getBean(AzureAccount.class);
                    assertThat(clients.tables().getServiceEndpoint()).isEqualTo("https://mail.table.core.windows.net");
                    assertThat(clients.queues().getQueueServiceUrl()).isEqualTo("https://mail.queue.core.windows.net");
                    assertThat(clients.blobs().getAccountUrl()).isEqualTo("https://mail.blob.core.windows.net");
                });
    }

    @Test
    void embeddedStorageNeedsNoAzureSettings() {
        new ApplicationContextRunner()
                .withUserConfiguration(AzureStorageConfiguration.class)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(AzureAccount.class));
    }

    @Test
    void incompleteAndContradictorySettingsAreRefused() {
        refused("needs either azuremail.azure.connection-string or azuremail.azure.account: none is set");
        refused("none is set", "azuremail.azure.connection-string= ");
        refused(
                "both is set",
                "azuremail.azure.connection-string=" + CONNECTION_STRING,
                "azuremail.azure.account=mail");
        refused("must be 3 to 24 lower-case letters and digits", "azuremail.azure.account=https://mail");
        refused("names no account", "azuremail.azure.connection-string=AccountKey=" + KEY);
        refused("cannot be read", "azuremail.azure.connection-string=AccountName=mail;AccountKey=" + KEY + ";;=x;oops");
        refused("cannot be read", "azuremail.azure.connection-string=AccountName=mail");
        refused("cannot be read", "azuremail.azure.connection-string=AccountName=mail;AccountKey=not in Base64!");
        refused(
                "client-id needs azuremail.azure.account",
                "azuremail.azure.connection-string=" + CONNECTION_STRING,
                "azuremail.azure.client-id=who");
        refused("must not be shorter", "azuremail.azure.account=mail", "azuremail.azure.deadline=1s");
    }

    private void refused(String sentence, String... settings) {
        runner.withPropertyValues(settings).run(context -> {
            assertThat(context).hasFailed();
            StringWriter trace = new StringWriter();
            context.getStartupFailure().printStackTrace(new PrintWriter(trace));
            assertThat(trace.toString()).contains(sentence).doesNotContain(KEY);
        });
    }

    @Test
    void secretIsNeverPrinted(CapturedOutput output) {
        runner.withPropertyValues("azuremail.azure.connection-string=" + CONNECTION_STRING, "logging.level.root=trace")
                .run(context -> {
                    assertThat(context.getBean(AzureProperties.class).toString())
                            .contains("deadline=PT20S")
                            .doesNotContain(KEY);
                    assertThat(context.getBean(AzureAccount.class).toString()).doesNotContain(KEY);
                });
        assertThat(output.getAll()).doesNotContain(KEY);
    }
}
