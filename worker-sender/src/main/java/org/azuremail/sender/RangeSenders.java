package org.azuremail.sender;

import java.time.Duration;
import java.util.List;
import org.azuremail.delivery.range.MailItem;
import org.azuremail.mailclass.ClassService;
import org.azuremail.mailclass.MailClass;
import org.azuremail.mailclass.MailClasses;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.QueueServices;
import org.azuremail.work.service.WorkResult;

/** A queue of ranges for each mail class, with the same handler for all. */
record RangeSenders(RangeSender sender) implements QueueServices {

    @Override
    public List<OfClass> all() {
        return sender.classes().all().stream()
                .map(mailClass -> new OfClass(sender, mailClass))
                .toList();
    }

    /** The ranges of one class. */
    record OfClass(RangeSender sender, MailClass mailClass) implements ClassService<MailItem> {

        @Override
        public ItemType<MailItem> itemType() {
            return MailItem.TYPE.on(mailClass.queue(MailItem.TYPE.queue()));
        }

        @Override
        public MailClasses classes() {
            return sender.classes();
        }

        @Override
        public WorkResult handle(MailItem item, Delivery delivery) {
            return sender.handle(item, delivery);
        }

        @Override
        public int concurrency() {
            return mailClass.fewestPlaces() > 0 ? mailClass.fewestPlaces() : sender.concurrency();
        }

        @Override
        public int mostConcurrency() {
            return Math.max(concurrency(), mailClass.mostPlaces());
        }

        @Override
        public Duration closedFor() {
            return mailClass.hours().closedFor(sender.now());
        }

        @Override
        public boolean followsMessages() {
            return true;
        }

        /** The scheduler queues a range again that nobody works on, with a signal. */
        @Override
        public boolean safetyPolled() {
            return false;
        }

        /** A range counts its own failures; only the single bad mail in it becomes a dead letter. */
        @Override
        public boolean deadLetters() {
            return false;
        }
    }
}
