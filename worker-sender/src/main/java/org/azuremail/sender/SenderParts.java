package org.azuremail.sender;

import java.util.function.Supplier;
import org.azuremail.delivery.DeliveryStore;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.OutcomeArchive;
import org.azuremail.delivery.PartsUnderWay;
import org.azuremail.delivery.RangeRewriter;
import org.azuremail.journal.Journal;
import org.azuremail.message.MessageStore;
import org.azuremail.route.ListRoutes;
import org.azuremail.route.Routes;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.time.Time;

/**
 * What sending a range needs.
 *
 * @param nonces a name for each attempt, by which others may know whether its process lives
 */
record SenderParts(
        MessageStore messages,
        MessageControl control,
        DeliveryStore deliveries,
        OutcomeArchive archive,
        RangeRewriter rewriter,
        SubscriptionStore subscriptions,
        LotMaker mails,
        Routes routes,
        ListRoutes lists,
        Journal journal,
        DeadMail deadMail,
        PartsUnderWay underWay,
        Time time,
        Supplier<String> nonces) {}
