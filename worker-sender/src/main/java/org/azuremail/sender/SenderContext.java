package org.azuremail.sender;

import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.archive.OutcomeArchive;
import org.azuremail.delivery.archive.RangeRewriter;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.RangeQueues;
import org.azuremail.journal.Journal;
import org.azuremail.message.MessageStore;
import org.azuremail.route.PreferredTransports;
import org.azuremail.route.Routes;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.suppression.Suppressions;
import org.azuremail.time.Time;
import org.azuremail.work.lease.Holders;
import org.azuremail.work.queue.DeadLetters;

/**
 * The parts that sending a range needs.
 *
 * @param holders names each attempt, so that other processes can tell whether its process is alive
 */
record SenderContext(
        MessageStore messages,
        MessageControl control,
        DeliveryStore deliveries,
        OutcomeArchive archive,
        RangeRewriter rewriter,
        SubscriptionStore subscriptions,
        Suppressions suppressions,
        LotBuilder mails,
        Routes routes,
        PreferredTransports preferredTransports,
        ListLimits limits,
        PlacePacer places,
        Journal journal,
        RangeQueues ranges,
        DeadLetters deadLetters,
        Time time,
        Holders holders) {}
