package org.azuremail.attention;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.SampleMessages;
import org.azuremail.delivery.archive.MessageProgress;
import org.azuremail.delivery.range.RangeQueues;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.route.Breakers;
import org.azuremail.storage.Page;
import org.azuremail.time.Time;
import org.azuremail.work.Switches;
import org.jspecify.annotations.Nullable;

/**
 * The messages that are being sent, that come next and that were sent last. A look takes a read of the index, one a message
 * that is shown, one a shard of those whose progress is shown, one of the sent messages and one a transport, however many there
 * are of all these.
 */
public record Underway(
        Messages messages,
        MessageStore store,
        MessageControl control,
        Breakers breakers,
        RangeQueues ranges,
        Switches switches,
        Time time) {

    /** The number of latest messages that are looked through for outcomes that wait for a decision. */
    private static final int LATEST = 20;

    /**
     * The state of all messages.
     *
     * @param sending those that are due and not final, the latest first
     * @param moreSending how many of these are not shown
     * @param next those that wait for their date, the first of them first
     * @param moreNext how many of these are not shown
     * @param latest those that are final, the newest first
     * @param waiting transports by which nothing flows
     */
    public record Look(
            List<Sending> sending,
            int moreSending,
            List<Message> next,
            int moreNext,
            List<Message> latest,
            List<Breakers.Waiting> waiting) {

        /** Differs when something else is to be shown. */
        public String version() {
            return Integer.toHexString(Objects.hash(sending, moreSending, next, moreNext, latest, waiting));
        }

        /** The message of the samples was sent by nobody. */
        public boolean somethingSent() {
            return latest.stream()
                    .filter(message -> !message.ref().equals(SampleMessages.SENT))
                    .anyMatch(message -> message.result().counts().sent() > 0);
        }
    }

    /**
     * A message that is being sent.
     *
     * @param progress {@code null} of those that are not counted here
     */
    public record Sending(Message message, @Nullable MessageProgress progress) {}

    /** Returns whether emails of the message may leave: neither the message nor its class is held. */
    public boolean goesOut(Message message) {
        boolean held = message.status() == MessageStatus.PROCESSING && ranges.held(message, switches, time.instant());
        return !message.paused() && !held;
    }

    /**
     * Looks now.
     *
     * @param shown of how many messages, of each kind
     * @param counted of how many of these the progress is read, which takes a call a shard
     */
    public Look look(int shown, int counted) {
        Messages.Ahead ahead = messages.ahead(shown);
        List<Sending> sending = new ArrayList<>();
        int begun = 0;
        for (Message message : ahead.due()) {
            boolean counts = message.begun() && begun < counted;
            sending.add(new Sending(message, counts ? control.progress(message) : null));
            begun += counts ? 1 : 0;
        }
        Page<Message> sent = store.sent(LATEST, null);
        return new Look(sending, ahead.moreDue(), ahead.later(), ahead.moreLater(), sent.items(), breakers.waiting());
    }
}
