package org.azuremail.attention;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.SampleMessages;
import org.azuremail.delivery.archive.MessageProgress;
import org.azuremail.delivery.range.RangeQueues;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.message.MessageStore.ActiveEntry;
import org.azuremail.route.Breakers;
import org.azuremail.time.Time;
import org.azuremail.work.Switches;
import org.jspecify.annotations.Nullable;

/**
 * The messages that are being sent, that are next and that were sent last. Reading them takes one read of the index,
 * one for each message shown, one for each shard of a message whose progress is shown, one of the sent messages and one
 * for each transport. The number of messages that are not shown does not matter.
 */
public record SendingStatus(
        MessageStore messages,
        MessageControl control,
        Breakers breakers,
        RangeQueues ranges,
        Switches switches,
        Time time) {

    /** The number of latest messages that are searched for outcomes that wait for a decision. */
    private static final int LATEST = 20;

    /**
     * The state of all messages.
     *
     * @param sending the messages that are due and not final, the latest first
     * @param moreSending how many of these are not shown
     * @param next the messages that wait for their date, the earliest first
     * @param moreNext how many of these are not shown
     * @param latest the messages that are final, the newest first
     * @param waiting the transports that are on hold
     */
    public record Sample(
            List<Sending> sending,
            int moreSending,
            List<Message> next,
            int moreNext,
            List<Message> latest,
            List<Breakers.Waiting> waiting) {

        /**
         * Returns a text that changes when something else is to be shown. It is the same in all processes, unlike a
         * hash of enums.
         */
        public String version() {
            return Integer.toHexString(toString().hashCode());
        }

        /** Returns whether any message was sent, except for the sample message, which no admin sent. */
        public boolean somethingSent() {
            return latest.stream()
                    .filter(message -> !message.ref().equals(SampleMessages.SENT))
                    .anyMatch(message -> message.result().counts().sent() > 0);
        }
    }

    /**
     * A message that is being sent.
     *
     * @param progress the progress, or {@code null} if it was not read
     */
    public record Sending(Message message, @Nullable MessageProgress progress) {}

    /** Returns whether emails of the message may be sent: neither the message nor its class is held. */
    public boolean isSending(Message message) {
        boolean held = message.status() == MessageStatus.PROCESSING && ranges.held(message, switches, time.instant());
        return !message.paused() && !held;
    }

    /**
     * Reads the state of the messages.
     *
     * @param shown how many messages of each kind to read
     * @param counted for how many of these to read the progress, which takes a call for each shard
     */
    public Sample sample(int shown, int counted) {
        Instant now = time.instant();
        List<ActiveEntry> entries =
                messages.active().stream().sorted(ActiveEntry.ORDER).toList();
        int due = (int)
                entries.stream().filter(entry -> !entry.due().isAfter(now)).count();
        int first = Math.max(0, due - shown);
        int end = Math.min(entries.size(), due + shown);
        List<Message> latest = new ArrayList<>(scheduled(entries.subList(first, due)));
        Collections.reverse(latest);
        List<Sending> sending = new ArrayList<>();
        int begun = 0;
        for (Message message : latest) {
            boolean counts = message.begun() && begun < counted;
            sending.add(new Sending(message, counts ? control.progress(message) : null));
            begun += counts ? 1 : 0;
        }
        return new Sample(
                sending,
                first,
                scheduled(entries.subList(due, end)),
                entries.size() - end,
                messages.sent(LATEST, null).items(),
                breakers.waiting());
    }

    /** Returns the messages of these entries. Entries of an older version may belong to drafts, which are left out. */
    private List<Message> scheduled(List<ActiveEntry> entries) {
        return messages.find(entries).stream()
                .filter(message -> !message.keptAsDraft())
                .toList();
    }
}
