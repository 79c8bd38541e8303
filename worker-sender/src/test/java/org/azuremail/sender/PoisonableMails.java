package org.azuremail.sender;

import java.util.List;
import java.util.Set;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.delivery.range.EmailRow;
import org.azuremail.delivery.range.RangeKey;
import org.azuremail.feedback.FeedbackProperties;
import org.azuremail.feedback.FeedbackProperties.UnsubscribeProperties;
import org.azuremail.feedback.MailHandles;
import org.azuremail.list.ListStore;
import org.azuremail.mail.MailLot;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs;
import org.azuremail.template.Templates;
import org.azuremail.time.Time;

/** The real builder of lots, which throws for some addresses. */
final class PoisonableMails extends LotBuilder {

    private final Set<String> poisoned;

    PoisonableMails(
            MessageBlobs blobs,
            ListStore lists,
            Templates templates,
            AzureMailProperties settings,
            MailHandles handles,
            ListLimits limits,
            Time time,
            Set<String> poisoned) {
        super(
                blobs,
                lists,
                templates,
                settings,
                handles,
                new FeedbackProperties("bounces@example.org", 0.05, 0.003, 100),
                new UnsubscribeProperties("leave@example.org"),
                limits,
                time);
        this.poisoned = poisoned;
    }

    @Override
    MailLot lot(Message message, RangeKey range, List<EmailRow> rows) {
        for (EmailRow row : rows) {
            if (poisoned.contains(row.recipient().address().value())) {
                throw new IllegalStateException("poison");
            }
        }
        return super.lot(message, range, rows);
    }
}
