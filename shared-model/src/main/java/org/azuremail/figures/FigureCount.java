package org.azuremail.figures;

import java.time.Duration;
import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.delivery.archive.FigureRequests;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.time.Time;
import org.azuremail.work.service.ScheduledService;

/**
 * Counts the outcomes of messages on request, in one process at a time, with one call for each thousand outcomes. A
 * count starts at zero and replaces the previous one, so a repetition after a crash counts nothing twice.
 */
@ConditionalOnRole(Role.SCHEDULER)
record FigureCount(
        FigureRequests wanted, MessageStore messages, DeliveryStore deliveries, FigureStore figures, Time time)
        implements ScheduledService {

    /** The interval of the check for requests whose signal was lost. A request usually starts a count at once. */
    private static final Duration SLOW_POLL = Duration.ofDays(1);

    private static final int PAGE = 1000;

    @Override
    public String name() {
        return FigureRequests.SERVICE;
    }

    @Override
    public Duration interval() {
        return SLOW_POLL;
    }

    @Override
    public void run() {
        for (Row row : wanted.all()) {
            MessageRef ref = FigureRequests.message(row);
            boolean undecided = messages.find(ref).filter(this::count).isPresent();
            if (!undecided) {
                wanted.done(row);
            }
        }
    }

    /** @return whether events may still decide some outcomes, so that a new count tomorrow is worthwhile */
    private boolean count(Message message) {
        if (message.retired()) {
            return false;
        }
        FigureTally tally = new FigureTally(time.instant());
        message.shardNumbers().forEach(number -> {
            ShardKey shard = new ShardKey(message.ref(), number);
            Page.stream(from -> deliveries.outcomes(shard, PAGE, from)).forEach(tally::add);
        });
        Figures counted = tally.figures();
        figures.put(message.ref(), counted);
        return message.completedAt() != null && counted.outcomes().unknown() > counted.undecided();
    }
}
