package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.azuremail.delivery.range.DeliveryLimits;
import org.azuremail.delivery.range.InFlightParts;
import org.azuremail.delivery.range.MailItem;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.RangeKey;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.delivery.reopen.Reopening;
import org.azuremail.list.ListStore;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mailclass.MailClass;
import org.azuremail.mailclass.MailClasses;
import org.azuremail.message.Outcome;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Durations;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.QueueServices;
import org.azuremail.work.service.WorkResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the work items of all mail classes, each from a separate queue. An item only names the range to process; the
 * rows say what is to be done. So an item may arrive twice, late, or long after its range is done.
 */
class RangeSender implements QueueServices {

    private static final Logger LOG = LoggerFactory.getLogger(RangeSender.class);

    private static final Duration LONG_WAIT = Duration.ofSeconds(60);

    private final SenderContext context;
    private final ListStore lists;
    private final Reopening reopening;
    private final InFlightParts inFlightParts;

    /** The ranges that this process works on. Their holders are alive, whatever their leases say. */
    private final Set<RangeKey> underWay = ConcurrentHashMap.newKeySet();

    RangeSender(SenderContext context, ListStore lists, Reopening reopening, InFlightParts inFlightParts) {
        this.context = context;
        this.lists = lists;
        this.reopening = reopening;
        this.inFlightParts = inFlightParts;
    }

    @Override
    public List<ClassSender> all() {
        return context.ranges().classes().all().stream().map(ClassSender::new).toList();
    }

    final class ClassSender implements ClassService<MailItem> {

        private final MailClass mailClass;

        private ClassSender(MailClass mailClass) {
            this.mailClass = mailClass;
        }

        @Override
        public MailClass mailClass() {
            return mailClass;
        }

        @Override
        public ItemType<MailItem> itemType() {
            return MailItem.TYPE.on(mailClass.queue(MailItem.TYPE.queue()));
        }

        @Override
        public MailClasses classes() {
            return context.ranges().classes();
        }

        /** Confirmations and test emails have separate places in any case, because a person waits for them. */
        @Override
        public String pool() {
            return classes().pool(itemType().queue());
        }

        /**
         * Further runs of Low would wait for the same transport beside the runs of High, which would then not be asked
         * to end.
         */
        @Override
        public int mostInPool() {
            return classes().strict() ? context.routes().ofOne() : Integer.MAX_VALUE;
        }

        @Override
        public WorkResult handle(MailItem item, Delivery delivery) {
            return item.isRange()
                    ? RangeSender.this.handle(item, item.range(), delivery)
                    : handleAddress(item, delivery);
        }

        @Override
        public int concurrency() {
            return mailClass.fewestPlaces() > 0
                    ? mailClass.fewestPlaces()
                    : context.routes().concurrency();
        }

        @Override
        public int mostConcurrency() {
            return Math.max(concurrency(), mailClass.mostPlaces());
        }

        @Override
        public Duration closedFor() {
            return mailClass.hours().closedFor(context.time().instant());
        }

        @Override
        public boolean followsMessages() {
            return true;
        }

        /** The scheduler queues each abandoned range again and signals it. */
        @Override
        public boolean safetyPolled() {
            return false;
        }

        /** A range counts its own failures; only the single bad email in it becomes a dead letter. */
        @Override
        public boolean deadLetters() {
            return false;
        }
    }

    private WorkResult handle(MailItem item, RangeKey key, Delivery delivery) {
        if (!underWay.add(key)) {
            return new WorkResult.RetryAfter(context.deliveries().limits().lease());
        }
        inFlightParts.begin(item.ref());
        try {
            return handleAlone(item, key, delivery);
        } finally {
            underWay.remove(key);
            inFlightParts.end(item.ref());
        }
    }

    private WorkResult handleAlone(MailItem item, RangeKey key, Delivery delivery) {
        LOG.debug("item of {}, flag {}", key, item.requeued() ? 1 : 0);
        Optional<Versioned<Range>> read = context.deliveries().range(key);
        if (read.isEmpty()) {
            return new WorkResult.Discard("nothing waits for " + item.text());
        }
        Range range = read.get().value();
        Instant now = context.time().instant();
        if (range.done()) {
            return WorkResult.DONE;
        }
        Instant notBefore = range.delay().notBefore();
        if (notBefore != null && range.waitsAt(now)) {
            Duration wait = Duration.between(now, notBefore);
            return wait.compareTo(LONG_WAIT) > 0 ? WorkResult.DONE : new WorkResult.RetryAfter(wait);
        }
        DeliveryLimits limits = context.deliveries().limits();
        if (context.deliveries().held(range, now)) {
            Duration left = Duration.between(
                    now, Objects.requireNonNull(range.claim().leaseEnd()).plus(limits.skew()));
            return new WorkResult.RetryAfter(Durations.min(left, limits.lease()));
        }
        if (delivery.stopping()) {
            return new WorkResult.RetryAfter(Duration.ZERO);
        }
        return new LapsedClaimWatch(context.deliveries(), context.time())
                .watch(read.get(), delivery)
                .flatMap(free -> HeldRange.claim(context, free, item.date()))
                .map(held -> new RangeRun(context, held, delivery, inFlightParts).run())
                .orElseGet(() -> new WorkResult.RetryAfter(limits.lease()));
    }

    /**
     * Handles one recipient: works on the unfinished range that covers the address or, for a restored dead letter,
     * reopens the message for it. An email that once reached a transport is never sent from here.
     */
    private WorkResult handleAddress(MailItem item, Delivery delivery) {
        Optional<EmailAddress> address = EmailAddress.stored(item.whom());
        Optional<ShardKey> shard = address.flatMap(found -> shardOf(item, found));
        if (shard.isEmpty()) {
            return new WorkResult.Discard("nobody waits for " + item.text());
        }
        String row = Recipient.rowKey(address.orElseThrow());
        return context.deliveries().controls(shard.get()).ranges().stream()
                .map(Versioned::value)
                .filter(candidate -> !candidate.done() && candidate.covers(row))
                .findFirst()
                .map(range -> handle(item, range.key(), delivery))
                .orElseGet(() -> reopen(item, address.get(), shard.get()));
    }

    private WorkResult reopen(MailItem item, EmailAddress address, ShardKey shard) {
        return context.deliveries()
                .outcome(shard, Recipient.rowKey(address))
                .filter(outcome -> outcome.outcome() == Outcome.FAILED)
                .filter(outcome -> outcome.reason().is(ReasonCode.UNPREPARED))
                .map(neverLeft -> reopening.reopen(item.ref(), address, neverLeft.generation()))
                .<WorkResult>map(answer ->
                        answer == Reopening.Answer.NOT_NOW ? new WorkResult.RetryAfter(LONG_WAIT) : WorkResult.DONE)
                .orElseGet(() -> new WorkResult.Discard("nobody waits for " + item.text()));
    }

    private Optional<ShardKey> shardOf(MailItem item, EmailAddress address) {
        return context.messages()
                .find(item.ref())
                .filter(message -> message.lists().stream()
                        .allMatch(list -> lists.find(list).isPresent()))
                .map(message -> new ShardKey(item.ref(), message.shardOf(address)));
    }
}
