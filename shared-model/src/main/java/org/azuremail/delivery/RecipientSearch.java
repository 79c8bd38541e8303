package org.azuremail.delivery;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.azuremail.delivery.RecipientStory.Verdict;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.Message;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.store.SubscriptionStore;
import org.jspecify.annotations.Nullable;

/**
 * Why did or didn't an address get a message: from its outcome, its e-mail row, the fan-out and what the list knows of the
 * person. Six storage calls at most for a form of an address, where the list exists; of one that is gone three for each shard. Reads in the order
 * opposite to that in which a recipient's rows are written, so that nobody on the way is taken for absent.
 */
public class RecipientSearch {

    private final DeliveryStore deliveries;
    private final ListStore lists;
    private final SubscriptionStore subscribers;

    public RecipientSearch(DeliveryStore deliveries, ListStore lists, SubscriptionStore subscribers) {
        this.deliveries = deliveries;
        this.lists = lists;
        this.subscribers = subscribers;
    }

    /** What is known of an address, in the form in which it is known. */
    public record Found(EmailAddress address, RecipientStory story) {}

    /**
     * What is known, as of now, of an address that somebody typed: also where an older version stored another form of it
     * ({@link EmailAddress#meant}). A recipient goes before somebody who is only on the list.
     *
     * @return empty for what is no address, unless it is known all the same
     */
    public Optional<Found> search(Message message, String typed) {
        List<EmailAddress> meant = EmailAddress.meant(typed);
        List<Found> found = meant.stream()
                .map(address -> new Found(address, search(message, address)))
                .toList();
        return found.stream()
                .filter(one -> one.story().ofRecipient())
                .findFirst()
                .or(() -> found.stream()
                        .filter(one -> meant.size() > 1 && isOnList(message, one.address()))
                        .findFirst())
                .or(() -> EmailAddress.parse(typed)
                        .flatMap(parsed -> found.stream().findFirst()));
    }

    private boolean isOnList(Message message, EmailAddress address) {
        return lists.find(message.list())
                .map(Versioned::value)
                .flatMap(list -> subscribers.find(list, address))
                .isPresent();
    }

    /** What is known of an address, as of now. */
    public RecipientStory search(Message message, EmailAddress address) {
        Optional<MailingList> list = lists.find(message.list()).map(Versioned::value);
        return shards(message, list, address)
                .mapToObj(shard -> known(message, new ShardKey(message.ref(), shard), address))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseGet(() -> notFound(message, list, address));
    }

    /** Where the outcome of an address is, if there is one. */
    public Optional<Integer> shardOf(Message message, EmailAddress address) {
        Optional<MailingList> list = lists.find(message.list()).map(Versioned::value);
        return shards(message, list, address)
                .filter(shard -> deliveries
                        .outcome(new ShardKey(message.ref(), shard), Recipient.rowKey(address))
                        .isPresent())
                .boxed()
                .findFirst();
    }

    /** One shard; all of them when nobody knows any more because the list is gone, or another one has its name. */
    private static IntStream shards(Message message, Optional<MailingList> list, EmailAddress address) {
        return list.filter(there -> there.shards() == message.shards())
                .map(there -> IntStream.of(there.shardOf(address)))
                .orElseGet(message::shardNumbers);
    }

    private Optional<RecipientStory> known(Message message, ShardKey key, EmailAddress address) {
        String row = Recipient.rowKey(address);
        Optional<ShardControl> walk = deliveries.shard(key).map(Versioned::value);
        Optional<Recipient> waiting = deliveries.waiting(key, row);
        Optional<Recorded> recorded = deliveries.outcome(key, row);
        if (waiting.isPresent()
                && recorded.filter(one -> one.settles(waiting.get().generation()))
                        .isEmpty()) {
            return Optional.of(waits(message, key, waiting.get(), recorded));
        }
        return recorded.map(RecipientSearch::ended).or(() -> uncounted(message, walk, row));
    }

    private static RecipientStory ended(Recorded recorded) {
        String detail = recorded.told();
        Optional<Recorded> one = Optional.of(recorded);
        return switch (recorded.outcome()) {
            case SENT -> new RecipientStory(Verdict.SENT, "Sent: the provider took the mail.", one, null);
            case FAILED -> new RecipientStory(Verdict.FAILED, "Not sent, for good: " + detail + ".", one, null);
            case SKIPPED -> new RecipientStory(Verdict.SKIPPED, "Deliberately not mailed: " + detail + ".", one, null);
            case UNKNOWN ->
                new RecipientStory(
                        Verdict.UNKNOWN,
                        "Nobody knows whether the provider took the mail: " + detail
                                + ". You can decide it: mark it as sent, or send it again.",
                        one,
                        null);
        };
    }

    private RecipientStory waits(Message message, ShardKey key, Recipient waiting, Optional<Recorded> before) {
        Optional<Range> range = deliveries.controls(key).ranges().stream()
                .map(Versioned::value)
                .filter(one -> one.generation() == waiting.generation() && one.covers(waiting.rowKey()))
                .min(Comparator.comparing(Range::done));
        Instant until = later(waiting.notBefore(), range.map(Range::notBefore).orElse(null));
        String begin = before.isPresent() ? "It is to be sent again, and waits" : "A recipient that waits for the mail";
        return new RecipientStory(
                Verdict.WAITING,
                begin + reason(message, waiting, range) + ".",
                before,
                message.paused() ? null : until);
    }

    private static String reason(Message message, Recipient waiting, Optional<Range> range) {
        if (message.paused()) {
            return ": the message is paused" + (message.pauseReason().none() ? "" : ", " + message.pauseReason());
        }
        if (waiting.notBefore() != null) {
            return ": the provider asked to try later, " + waiting.tries() + (waiting.tries() == 1 ? " time" : " times")
                    + " so far";
        }
        Reason note = range.map(Range::note).orElse(Reason.NONE);
        boolean handing = range.filter(Range::inDoubt).isPresent();
        return note.none() ? (handing ? "; its part of the list is being handed over now" : "") : ": " + note;
    }

    private static @Nullable Instant later(@Nullable Instant one, @Nullable Instant other) {
        return one == null || (other != null && other.isAfter(one)) ? other : one;
    }

    private static Optional<RecipientStory> uncounted(Message message, Optional<ShardControl> walk, String row) {
        boolean passed = walk.filter(s -> s.checkpoint().compareTo(row) >= 0).isPresent();
        return switch (message.status()) {
            case PENDING, MOVING ->
                Optional.of(RecipientStory.of(
                        Verdict.NOT_COUNTED_YET, "Recipients are counted when the message is due; it is not yet."));
            case FAILED ->
                Optional.of(RecipientStory.of(
                        Verdict.NOT_A_RECIPIENT, "The message was sent to nobody: " + message.reason() + "."));
            case CANCELLED ->
                passed
                        ? Optional.empty()
                        : Optional.of(
                                RecipientStory.of(
                                        Verdict.NOT_A_RECIPIENT,
                                        "The message was cancelled before its recipients were counted as far as this address."));
            default -> counting(walk, passed);
        };
    }

    private static Optional<RecipientStory> counting(Optional<ShardControl> walk, boolean passed) {
        return passed || walk.filter(ShardControl::walked).isPresent()
                ? Optional.empty()
                : Optional.of(RecipientStory.of(
                        Verdict.NOT_COUNTED_YET, "Recipients are being counted; this address was not reached yet."));
    }

    private RecipientStory notFound(Message message, Optional<MailingList> list, EmailAddress address) {
        String why = list.map(there -> subscribers
                        .find(there, address)
                        .map(Versioned::value)
                        .map(person -> WhyNotCounted.of(message, person))
                        .orElse("Nobody has this address on the list " + message.list()
                                + " now: nobody ever had, or whoever had it was deleted."))
                .orElse("The list " + message.list() + " does not exist any more.");
        return RecipientStory.of(
                Verdict.NOT_A_RECIPIENT, "It was not among the recipients when they were counted. " + why);
    }
}
