package org.azuremail.report;

import java.util.Map;
import org.azuremail.blobset.BlobSet;
import org.azuremail.blobset.SetJob;
import org.azuremail.blobset.SetJobs;
import org.azuremail.blobset.SetMapper;
import org.azuremail.list.MailingList;
import org.azuremail.report.ConfirmationReminders.ConfirmationReminderItem;
import org.azuremail.report.PeopleJob.PeopleWalk;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.work.queue.TextCodec;

/** Creates a work item for each unconfirmed subscriber of a list. */
record ConfirmationReminderJob(PeopleWalk walk, SubscriptionStore subscribers)
        implements SetMapper<ConfirmationReminderItem> {

    static final String NAME = "ask-again";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public TextCodec<ConfirmationReminderItem> values() {
        return TextCodec.json(ConfirmationReminderItem.class);
    }

    @Override
    public void fill(BlobSet<ConfirmationReminderItem> set, Map<String, String> about) throws SetJob.Failure {
        MailingList list = walk.require(about.getOrDefault(SetJobs.LIST, ""));
        ConfirmationReminderItem all = ConfirmationReminders.lastItem(list.name(), about);
        for (int shard = 0; shard < list.shards(); shard++) {
            subscribers
                    .ofShard(list.name(), shard)
                    .filter(one -> one.state() == SubscriberState.UNCONFIRMED)
                    .forEach(one -> set.put(
                            one.guid().value(),
                            new ConfirmationReminderItem(all.list(), one.guid(), all.askedAt(), all.by())));
        }
    }

    @Override
    public Object map(String element, ConfirmationReminderItem value) {
        return value;
    }
}
