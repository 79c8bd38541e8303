package org.azuremail.figures;

import org.azuremail.delivery.archive.FigureRequests;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStore;
import org.azuremail.time.Time;

/** Counts figures as the scheduler does, for tests of pages, which run without a scheduler. */
public final class FigureCounts {

    private final FigureRequests wanted;
    private final FigureCount count;

    public FigureCounts(
            FigureRequests wanted, MessageStore messages, DeliveryStore deliveries, FigureStore figures, Time time) {
        this.wanted = wanted;
        this.count = new FigureCount(wanted, messages, deliveries, figures, time);
    }

    public void count(Message message) {
        wanted.request(message.ref());
        count.run();
    }
}
