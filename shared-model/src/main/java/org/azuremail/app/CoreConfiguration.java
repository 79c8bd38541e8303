package org.azuremail.app;

import org.azuremail.attention.AttentionConfiguration;
import org.azuremail.blobset.BlobSetConfiguration;
import org.azuremail.configuration.SettingsConfiguration;
import org.azuremail.content.ContentConfiguration;
import org.azuremail.copy.CopyConfiguration;
import org.azuremail.delivery.DeliveryConfiguration;
import org.azuremail.delivery.retention.RetentionConfiguration;
import org.azuremail.eventlog.EventLogConfiguration;
import org.azuremail.feedback.FeedbackConfiguration;
import org.azuremail.figures.FigureConfiguration;
import org.azuremail.gallery.GalleryConfiguration;
import org.azuremail.greeting.GreetingConfiguration;
import org.azuremail.history.HistoryConfiguration;
import org.azuremail.id.IdConfiguration;
import org.azuremail.id.IdSource;
import org.azuremail.limit.LimitConfiguration;
import org.azuremail.list.ListConfiguration;
import org.azuremail.mail.MailConfiguration;
import org.azuremail.mailclass.MailClassConfiguration;
import org.azuremail.message.MessageConfiguration;
import org.azuremail.operations.OperationsConfiguration;
import org.azuremail.outbox.OutboxConfiguration;
import org.azuremail.report.ReportConfiguration;
import org.azuremail.route.RouteConfiguration;
import org.azuremail.segment.SegmentConfiguration;
import org.azuremail.sending.SendingConfiguration;
import org.azuremail.storage.StorageConfiguration;
import org.azuremail.storage.azure.AzureStorageConfiguration;
import org.azuremail.storage.embedded.EmbeddedStorageConfiguration;
import org.azuremail.subscription.SubscriptionConfiguration;
import org.azuremail.subscription.growth.GrowthConfiguration;
import org.azuremail.subscription.index.FieldIndexConfiguration;
import org.azuremail.subscription.removal.ListDeletionConfiguration;
import org.azuremail.subscription.transfer.ImportConfiguration;
import org.azuremail.suppression.SuppressionConfiguration;
import org.azuremail.template.TemplateConfiguration;
import org.azuremail.time.Time;
import org.azuremail.watcher.WatcherConfiguration;
import org.azuremail.watcher.feed.FeedConfiguration;
import org.azuremail.watcher.mailbox.MailboxConfiguration;
import org.azuremail.work.WorkConfiguration;
import org.azuremail.work.run.HousekeepingConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The beans that every role needs; each application imports it. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(AzureMailProperties.class)
@Import({
    AttentionConfiguration.class,
    BlobSetConfiguration.class,
    ContentConfiguration.class,
    CopyConfiguration.class,
    DeliveryConfiguration.class,
    FeedbackConfiguration.class,
    FigureConfiguration.class,
    GalleryConfiguration.class,
    WatcherConfiguration.class,
    FeedConfiguration.class,
    MailboxConfiguration.class,
    EventLogConfiguration.class,
    AzureStorageConfiguration.class,
    EmbeddedStorageConfiguration.class,
    StorageConfiguration.class,
    GreetingConfiguration.class,
    HistoryConfiguration.class,
    IdConfiguration.class,
    LimitConfiguration.class,
    ListConfiguration.class,
    MailConfiguration.class,
    MailClassConfiguration.class,
    MessageConfiguration.class,
    OperationsConfiguration.class,
    SettingsConfiguration.class,
    OutboxConfiguration.class,
    ReportConfiguration.class,
    RetentionConfiguration.class,
    RouteConfiguration.class,
    SegmentConfiguration.class,
    SendingConfiguration.class,
    SubscriptionConfiguration.class,
    SuppressionConfiguration.class,
    TemplateConfiguration.class,
    ImportConfiguration.class,
    ListDeletionConfiguration.class,
    FieldIndexConfiguration.class,
    GrowthConfiguration.class,
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
