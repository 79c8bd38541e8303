package org.azuremail.report;

import java.time.Instant;
import org.azuremail.list.ListName;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.work.queue.ItemType;
import org.jspecify.annotations.Nullable;

/**
 * A work item: ask this subscriber, who has not confirmed, again. Items of one job travel in batches.
 *
 * @param guid {@code null} of the item that follows all others of a job
 * @param askedAt when the admin asked for it: nobody is asked again who was asked since
 * @param by the admin
 */
public record AskAgainItem(ListName list, @Nullable SubscriberGuid guid, Instant askedAt, String by) {

    /** Some seconds' worth of emails, so that several processes share a job. */
    private static final int TOGETHER = 50;

    public static final ItemType<AskAgainItem> TYPE =
            ItemType.json("azuremailaskqueue", AskAgainItem.class).together(TOGETHER);
}
