package org.azuremail.app;

import org.azuremail.blobset.BlobSetConfiguration;
import org.azuremail.content.ContentConfiguration;
import org.azuremail.copy.CopyConfiguration;
import org.azuremail.delivery.DeliveryConfiguration;
import org.azuremail.eventlog.EventLogConfiguration;
import org.azuremail.id.IdConfiguration;
import org.azuremail.id.IdSource;
import org.azuremail.limit.LimitConfiguration;
import org.azuremail.list.ListConfiguration;
import org.azuremail.mail.MailConfiguration;
import org.azuremail.message.MessageConfiguration;
import org.azuremail.operations.OperationsConfiguration;
import org.azuremail.outbox.OutboxConfiguration;
import org.azuremail.route.RouteConfiguration;
import org.azuremail.storage.StorageConfiguration;
import org.azuremail.storage.azure.AzureStorageConfiguration;
import org.azuremail.storage.embedded.EmbeddedStorageConfiguration;
import org.azuremail.subscription.SubscriptionConfiguration;
import org.azuremail.subscription.removal.ListDeletionConfiguration;
import org.azuremail.subscription.transfer.ImportConfiguration;
import org.azuremail.time.Time;
import org.azuremail.work.WorkConfiguration;
import org.azuremail.work.run.HousekeepingConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What every role needs; each application imports it. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(AzureMailProperties.class)
@Import({
    BlobSetConfiguration.class,
    ContentConfiguration.class,
    CopyConfiguration.class,
    DeliveryConfiguration.class,
    EventLogConfiguration.class,
    AzureStorageConfiguration.class,
    EmbeddedStorageConfiguration.class,
    StorageConfiguration.class,
    IdConfiguration.class,
    LimitConfiguration.class,
    ListConfiguration.class,
    MailConfiguration.class,
    MessageConfiguration.class,
    OperationsConfiguration.class,
    OutboxConfiguration.class,
    RouteConfiguration.class,
    SubscriptionConfiguration.class,
    ImportConfiguration.class,
    ListDeletionConfiguration.class,
    HousekeepingConfiguration.class,
    WorkConfiguration.class
})
public class CoreConfiguration {

    @Bean
    Time time() {
        return Time.system();
    }

    @Bean
    IdSource idSource() {
        return IdSource.secure();
    }
}
