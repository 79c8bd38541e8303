package org.azuremail.delivery.recipient;

import static org.azuremail.delivery.recipient.ExplanationCode.STORY_CANCELLED;
import static org.azuremail.delivery.recipient.ExplanationCode.STORY_COUNTING;
import static org.azuremail.delivery.recipient.ExplanationCode.STORY_FAILED;
import static org.azuremail.delivery.recipient.ExplanationCode.STORY_HANDING;
import static org.azuremail.delivery.recipient.ExplanationCode.STORY_NEVER_SENT;
import static org.azuremail.delivery.recipient.ExplanationCode.STORY_NOT_COUNTED;
import static org.azuremail.delivery.recipient.ExplanationCode.STORY_NOT_DUE;
import static org.azuremail.delivery.recipient.ExplanationCode.STORY_NOT_ON_LIST;
import static org.azuremail.delivery.recipient.ExplanationCode.STORY_NO_LIST;
import static org.azuremail.delivery.recipient.ExplanationCode.STORY_PAUSED;
import static org.azuremail.delivery.recipient.ExplanationCode.STORY_PAUSED_FOR;
import static org.azuremail.delivery.recipient.ExplanationCode.STORY_PUT_OFF;
import static org.azuremail.delivery.recipient.ExplanationCode.STORY_PUT_OFF_SAYING;
import static org.azuremail.delivery.recipient.ExplanationCode.STORY_RETIRED;
import static org.azuremail.delivery.recipient.ExplanationCode.STORY_SENT;
import static org.azuremail.delivery.recipient.ExplanationCode.STORY_SKIPPED;
import static org.azuremail.delivery.recipient.ExplanationCode.STORY_UNKNOWN;
import static org.azuremail.delivery.recipient.ExplanationCode.STORY_WAITS;
import static org.azuremail.delivery.recipient.ExplanationCode.STORY_WAITS_AGAIN;
import static org.azuremail.delivery.recipient.ExplanationCode.STORY_WAITS_FOR;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.EmailRow;
import org.azuremail.delivery.range.Feedback;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.delivery.range.ShardControl;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.delivery.recipient.DeliveryExplanation.Verdict;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Subscriber;
import org.jspecify.annotations.Nullable;

/**
 * Explains why an address did or did not get a message: from its outcome, its email row, the fan-out and the
 * subscriber's row. This takes at most six storage calls for one form of an address while the list exists, and three
 * for each shard if the list is deleted. The rows are read in the reverse of the order in which a recipient's rows are
 * written, so that no recipient is missed between two rows.
 */
public record RecipientSearch(DeliveryStore deliveries, ListStore lists, SubscriptionStore subscribers) {

    /** An address in the form in which it was found, and the explanation. */
    public record Found(EmailAddress address, DeliveryExplanation explanation) {}

    /**
     * Finds everything that is known about a typed address, including other forms of it that an older version stored
     * ({@link EmailAddress#candidates}). A recipient takes precedence over a person who is only on the list.
     *
     * @return empty when the text is not an address, unless it is known anyway
     */
    public Optional<Found> search(Message message, String typed) {
        List<EmailAddress> meant = EmailAddress.candidates(typed);
        List<Found> found = meant.stream()
                .map(address -> new Found(address, search(message, address)))
                .toList();
        return found.stream()
                .filter(one -> one.explanation().isRecipient())
                .findFirst()
                .or(() -> found.stream()
                        .filter(one -> meant.size() > 1
                                && onLists(lists(message), one.address()).isPresent())
                        .findFirst())
                .or(() -> EmailAddress.parse(typed)
                        .flatMap(parsed -> found.stream().findFirst()));
    }

    /** Returns the lists of the message that still exist, in their order. */
    private List<MailingList> lists(Message message) {
        return message.lists().stream()
                .flatMap(list -> lists.findValue(list).stream())
                .toList();
    }

    /** Returns the person's row on one of the lists, preferably a verified one. */
    private Optional<Subscriber> onLists(List<MailingList> on, EmailAddress address) {
        List<Subscriber> found = on.stream()
                .flatMap(list -> subscribers.find(list, address).map(Versioned::value).stream())
                .toList();
        return found.stream().filter(Subscriber::verified).findFirst().or(() -> found.stream()
                .findFirst());
    }

    /** Returns the explanation for an address at this moment. */
    public DeliveryExplanation search(Message message, EmailAddress address) {
        List<MailingList> on = lists(message);
        return shards(message, on, address)
                .mapToObj(shard -> known(message, new ShardKey(message.ref(), shard), address))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseGet(() -> notFound(message, on, address));
    }

    /** Returns the shard with the outcome of an address, if it has an outcome. */
    public Optional<Integer> shardOf(Message message, EmailAddress address) {
        return shards(message, lists(message), address)
                .filter(shard -> deliveries
                        .outcome(new ShardKey(message.ref(), shard), Recipient.rowKey(address))
                        .isPresent())
                .boxed()
                .findFirst();
    }

    /** Returns the address's shard, or all shards if a list is deleted or its name now belongs to another list. */
    private static IntStream shards(Message message, List<MailingList> on, EmailAddress address) {
        return !on.isEmpty() && on.stream().allMatch(existing -> existing.shards() == message.shards())
                ? IntStream.of(message.shardOf(address))
                : message.shardNumbers();
    }

    private Optional<DeliveryExplanation> known(Message message, ShardKey key, EmailAddress address) {
        String row = Recipient.rowKey(address);
        Optional<ShardControl> walk = deliveries.shard(key).map(Versioned::value);
        Optional<Recipient> waiting = deliveries.waitingRow(key, row).map(EmailRow::recipient);
        Optional<RecordedOutcome> recorded = deliveries.outcome(key, row);
        if (waiting.isPresent()
                && recorded.filter(one -> one.settles(waiting.get().generation()))
                        .isEmpty()) {
            return Optional.of(waits(message, key, waiting.get(), recorded));
        }
        return recorded.map(RecipientSearch::ended).or(() -> uncounted(message, walk, row));
    }

    private static DeliveryExplanation ended(RecordedOutcome recorded) {
        Optional<RecordedOutcome> one = Optional.of(recorded);
        return switch (recorded.outcome()) {
            case SENT -> new DeliveryExplanation(Verdict.SENT, sent(recorded), one, null);
            case FAILED -> ended(Verdict.FAILED, STORY_FAILED, recorded);
            case SKIPPED -> ended(Verdict.SKIPPED, STORY_SKIPPED, recorded);
            case UNKNOWN -> ended(Verdict.UNKNOWN, STORY_UNKNOWN, recorded);
        };
    }

    private static List<Reason> sent(RecordedOutcome recorded) {
        Feedback feedback = recorded.feedback();
        Reason sent = Reason.of(STORY_SENT);
        return feedback == null ? List.of(sent) : List.of(sent, feedback.reason());
    }

    private static DeliveryExplanation ended(Verdict verdict, ExplanationCode code, RecordedOutcome recorded) {
        return new DeliveryExplanation(
                verdict, List.of(Reason.of(code, recorded.detailText())), Optional.of(recorded), null);
    }

    private DeliveryExplanation waits(
            Message message, ShardKey key, Recipient waiting, Optional<RecordedOutcome> before) {
        Optional<Range> range = deliveries.controls(key).ranges().stream()
                .map(Versioned::value)
                .filter(one -> one.span().generation() == waiting.generation() && one.covers(waiting.rowKey()))
                .min(Comparator.comparing(Range::done));
        Instant until = later(
                waiting.notBefore(), range.map(one -> one.delay().notBefore()).orElse(null));
        List<Reason> why = new ArrayList<>();
        why.add(Reason.of(before.isPresent() ? STORY_WAITS_AGAIN : STORY_WAITS));
        cause(message, waiting, range).ifPresent(why::add);
        return new DeliveryExplanation(Verdict.WAITING, List.copyOf(why), before, message.paused() ? null : until);
    }

    private static Optional<Reason> cause(Message message, Recipient waiting, Optional<Range> range) {
        if (message.paused()) {
            Reason pause = message.state().pauseReason();
            return Optional.of(pause.none() ? Reason.of(STORY_PAUSED) : Reason.of(STORY_PAUSED_FOR, pause));
        }
        if (waiting.notBefore() != null) {
            return Optional.of(whyAgain(waiting));
        }
        return range.map(one -> one.delay().reason())
                .filter(why -> !why.none())
                .map(why -> Reason.of(STORY_WAITS_FOR, why))
                .or(() -> range.filter(Range::inDoubt).map(one -> Reason.of(STORY_HANDING)));
    }

    private static Reason whyAgain(Recipient waiting) {
        Reason why = waiting.delay().reason();
        return why.none()
                ? Reason.of(STORY_PUT_OFF, waiting.tries())
                : why.is(ReasonCode.PUT_OFF_SAYING)
                        ? Reason.of(STORY_PUT_OFF_SAYING, waiting.tries(), why.cause(0))
                        : Reason.of(STORY_WAITS_FOR, why);
    }

    private static @Nullable Instant later(@Nullable Instant one, @Nullable Instant other) {
        return one == null || (other != null && other.isAfter(one)) ? other : one;
    }

    private static Optional<DeliveryExplanation> uncounted(Message message, Optional<ShardControl> walk, String row) {
        boolean passed = walk.filter(s -> s.checkpoint().compareTo(row) >= 0).isPresent();
        return switch (message.status()) {
            case PENDING, MOVING -> story(Verdict.NOT_COUNTED_YET, Reason.of(STORY_NOT_DUE));
            case FAILED ->
                story(
                        Verdict.NOT_A_RECIPIENT,
                        Reason.of(STORY_NEVER_SENT, message.result().reason()));
            case CANCELLED -> passed ? Optional.empty() : story(Verdict.NOT_A_RECIPIENT, Reason.of(STORY_CANCELLED));
            default ->
                passed || walk.filter(ShardControl::walked).isPresent()
                        ? Optional.empty()
                        : story(Verdict.NOT_COUNTED_YET, Reason.of(STORY_COUNTING));
        };
    }

    private static Optional<DeliveryExplanation> story(Verdict verdict, Reason why) {
        return Optional.of(DeliveryExplanation.of(verdict, List.of(why)));
    }

    private DeliveryExplanation notFound(Message message, List<MailingList> on, EmailAddress address) {
        Instant retiredAt = message.result().retiredAt();
        if (retiredAt != null) {
            return DeliveryExplanation.of(Verdict.NOT_KNOWN, List.of(Reason.of(STORY_RETIRED, retiredAt)));
        }
        String names = Audience.of(message.lists()).toString();
        List<Reason> why = new ArrayList<>(List.of(Reason.of(STORY_NOT_COUNTED)));
        why.addAll(onLists(on, address)
                .map(person -> new UncountedExplainer(message, person).sentences())
                .orElseGet(() -> List.of(Reason.of(on.isEmpty() ? STORY_NO_LIST : STORY_NOT_ON_LIST, names))));
        return DeliveryExplanation.of(Verdict.NOT_A_RECIPIENT, List.copyOf(why));
    }
}
