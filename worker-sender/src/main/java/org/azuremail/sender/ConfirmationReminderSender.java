package org.azuremail.sender;

import java.time.Duration;
import org.azuremail.mailclass.MailClass;
import org.azuremail.mailclass.MailClasses;
import org.azuremail.report.ConfirmationReminders;
import org.azuremail.report.ConfirmationReminders.ConfirmationReminderItem;
import org.azuremail.subscription.ConfirmationClaims.ConfirmationItem;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.time.Time;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.WorkResult;

/** Sends the confirmations that an admin requested. New subscribers wait for theirs, so these are the least urgent. */
record ConfirmationReminderSender(
        ConfirmationSender confirmations,
        Subscriptions subscriptions,
        ConfirmationReminders jobs,
        MailClasses classes,
        Time time)
        implements ClassService<ConfirmationReminderItem> {

    @Override
    public ItemType<ConfirmationReminderItem> itemType() {
        return ConfirmationReminderItem.TYPE;
    }

    @Override
    public MailClass mailClass() {
        return classes.all().get(classes.all().size() - 1);
    }

    @Override
    public Duration closedFor() {
        return mailClass().hours().closedFor(time.instant());
    }

    @Override
    public String pool() {
        return classes.pool(itemType().queue());
    }

    /** This service adds no places to those that the classes share. */
    @Override
    public int concurrency() {
        return classes.strict() ? 0 : confirmations.concurrency();
    }

    @Override
    public WorkResult handle(ConfirmationReminderItem item, Delivery delivery) throws InterruptedException {
        SubscriberGuid guid = item.guid();
        if (guid == null) {
            jobs.record(item);
            return WorkResult.DONE;
        }
        return confirmations.mail(
                new ConfirmationItem(guid, item.list()),
                delivery,
                () -> subscriptions.requestConfirmation(item.list(), guid, item.askedAt(), Origin.admin(item.by())));
    }
}
