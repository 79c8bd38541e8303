package org.azuremail.subscription;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.ConfirmationSeals.ConfirmationLink;
import org.azuremail.subscription.store.ShardWriter;
import org.azuremail.subscription.store.SubscriberChange;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.store.WaitRow;
import org.azuremail.subscription.subscriber.Bookkeeping;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.time.Time;
import org.azuremail.work.queue.ItemType;
import org.jspecify.annotations.Nullable;

/**
 * The claims of senders on confirmation and welcome emails. A sender stores its claim in the subscriber's row under the
 * row's ETag before it hands the email over, so a second delivery of the same item stops. If the claim expires because
 * its holder died, the hand-over is in doubt: the email is sent once more, but not a third time. Every call may be
 * repeated. Safe for use from many threads and processes.
 */
public record ConfirmationClaims(
        ListStore lists, SubscriptionStore store, ShardWriter writer, ConfirmationSeals seals, Time time) {

    /** Longer than the time between two renewals plus the difference between two clocks. */
    private static final Duration LEASE = Duration.ofMinutes(2);

    private static final Duration HALF = LEASE.dividedBy(2);

    /** The length from which a claim is invalid: it was stored while the clock was wrong. */
    private static final Duration MAX_CREDIBLE_CLAIM = LEASE.multipliedBy(2);

    private static final int MAX_DOUBTS = 2;
    private static final Origin SENDER = new Origin(Origin.Channel.SERVICE, "sender", null, null);

    public sealed interface ClaimResult {
        /** The caller has the claim. It hands the email over and reports the result. */
        record Claimed(EmailClaim claim) implements ClaimResult {}

        /** Another sender has the claim. */
        record Busy(Duration retryAfter) implements ClaimResult {}

        /** No confirmation or welcome email is waiting. */
        record NothingToDo() implements ClaimResult {}
    }

    /**
     * The right to hand an email over.
     *
     * @param claimed the subscriber as stored with the claim
     */
    public record EmailClaim(MailingList list, Versioned<Subscriber> claimed, Instant until, ConfirmationLink link) {

        public Subscriber subscriber() {
            return claimed.value();
        }

        public boolean welcome() {
            return ConfirmationClaims.welcome(subscriber());
        }

        /** Returns the key of the request, which is the same if this email is handed over again. */
        public String requestKey() {
            return Long.toString(requestedAt().toEpochMilli());
        }

        /** Returns the time of the latest request for the confirmation, or the time when the person joined. */
        public Instant requestedAt() {
            return welcome() ? subscriber().joinedAt() : subscriber().requestedAt();
        }
    }

    /** Claims the email that an item names. Callers use this immediately before the hand-over. */
    public ClaimResult claim(ConfirmationItem item) {
        Optional<MailingList> list = listOf(item);
        Optional<Versioned<Subscriber>> found = list.flatMap(existing -> store.find(existing.name(), item.guid()))
                .filter(existing -> existing.value().guid().equals(item.guid()));
        if (list.isEmpty() || found.isEmpty()) {
            return new ClaimResult.NothingToDo();
        }
        Instant until = time.instant().plus(LEASE).truncatedTo(ChronoUnit.MICROS);
        return writer.change(found.get(), current -> {
            if (current == null || !waits(current.value())) {
                return SubscriberChange.nothing(new ClaimResult.NothingToDo());
            }
            return claim(list.get(), current.value(), until);
        });
    }

    /**
     * Extends a claim once half of its time has passed, because a server may take ten minutes to answer. The new end
     * depends only on the old one, so a renewal whose answer was lost can be recognised.
     *
     * @return the extended claim; the given one if it is too early to extend it, the claim is lost or the storage fails
     */
    public EmailClaim renewed(EmailClaim claim) {
        if (time.instant().isBefore(claim.until().minus(HALF))) {
            return claim;
        }
        Instant until = claim.until().plus(HALF);
        try {
            return writer.change(
                    claim.claimed(),
                    current -> current != null && holds(current.value(), claim)
                            ? SubscriberChange.store(
                                    claimed(current.value(), until, doubts(current.value())),
                                    stored -> new EmailClaim(claim.list(), stored, until, claim.link()))
                            : SubscriberChange.nothing(claim));
        } catch (StorageException notNow) {
            return claim;
        }
    }

    /**
     * Records that the provider has accepted the email.
     *
     * @param contentVersion the version of the text, kept as proof
     */
    public void sent(EmailClaim claim, String contentVersion) {
        Declaration.Kind sent = claim.welcome() ? Declaration.Kind.WELCOME_SENT : Declaration.Kind.CONFIRMATION_SENT;
        finish(claim, declaration(sent, contentVersion));
    }

    /** Records that the provider has permanently refused the email. No email waits after that. */
    public void failed(EmailClaim claim, Reason reason) {
        finish(claim, failure(claim.subscriber(), reason));
    }

    /**
     * Gives the claim back after a hand-over that had no effect and does not count as an attempt. The email waits
     * again.
     */
    public void release(EmailClaim claim, Duration retryAfter) {
        change(claim, current -> {
            Instant due = time.instant().plus(retryAfter);
            return SubscriberChange.store(
                    claimed(current, null, doubts(current)),
                    List.of(WaitRow.of(current, due).upsert()),
                    stored -> true);
        });
    }

    /**
     * Records that it is unknown whether the provider has accepted the email.
     *
     * @return whether to hand it over once more
     */
    public boolean inDoubt(EmailClaim claim, Reason reason) {
        return change(claim, current -> {
            int doubts = 1 + doubts(current);
            return doubts >= MAX_DOUBTS
                    ? SubscriberChange.store(givenUp(current, reason), stored -> false)
                    : SubscriberChange.store(claimed(current, null, doubts), stored -> true);
        });
    }

    private Optional<MailingList> listOf(ConfirmationItem item) {
        return item.list() == null
                ? lists.active().stream()
                        .filter(list -> store.find(list.name(), item.guid()).isPresent())
                        .findFirst()
                : lists.findActive(item.list());
    }

    private SubscriberChange<ClaimResult> claim(MailingList list, Subscriber current, Instant until) {
        Bookkeeping.Claim held = current.bookkeeping().claim();
        Instant heldUntil = held == null ? null : held.until();
        Duration busy = heldUntil == null ? Duration.ZERO : Duration.between(time.instant(), heldUntil);
        if (busy.compareTo(Duration.ZERO) > 0 && busy.compareTo(MAX_CREDIBLE_CLAIM) < 0) {
            return SubscriberChange.nothing(new ClaimResult.Busy(busy));
        }
        int doubts = doubts(current) + (heldUntil == null ? 0 : 1);
        if (doubts >= MAX_DOUBTS) {
            return SubscriberChange.store(
                    givenUp(current, Reason.of(ReasonCode.SENDER_STOPPED_TWICE)),
                    stored -> new ClaimResult.NothingToDo());
        }
        if (!welcome(current) && seals.expired(current, time.instant())) {
            return SubscriberChange.store(
                    current.withChore(null).withDeclaration(failure(current, Reason.of(ReasonCode.LINK_EXPIRED))),
                    stored -> new ClaimResult.NothingToDo());
        }
        // Create the link before the claim is stored: a failure after that would count as a hand-over in doubt.
        ConfirmationLink link = seals.link(current);
        return SubscriberChange.store(
                claimed(current, until, doubts),
                stored -> new ClaimResult.Claimed(new EmailClaim(list, stored, until, link)));
    }

    private void finish(EmailClaim claim, Declaration outcome) {
        writer.change(claim.claimed(), current -> {
            if (current == null || current.value().consent().has(outcome)) {
                return SubscriberChange.nothing(false);
            }
            Subscriber updated = current.value().withDeclaration(outcome);
            return SubscriberChange.store(
                    holds(current.value(), claim) ? updated.withChore(null) : updated, stored -> true);
        });
    }

    private boolean change(EmailClaim claim, Function<Subscriber, SubscriberChange<Boolean>> decision) {
        return writer.change(
                claim.claimed(),
                current -> current != null && holds(current.value(), claim)
                        ? decision.apply(current.value())
                        : SubscriberChange.nothing(false));
    }

    private Subscriber givenUp(Subscriber current, Reason reason) {
        return current.withChore(null).withDeclaration(failure(current, Reason.of(ReasonCode.IN_DOUBT, reason)));
    }

    private static int doubts(Subscriber current) {
        Bookkeeping.Claim held = current.bookkeeping().claim();
        return held == null ? 0 : held.doubts();
    }

    private static Subscriber claimed(Subscriber current, @Nullable Instant until, int doubts) {
        return current.withBookkeeping(current.bookkeeping().withClaim(new Bookkeeping.Claim(until, doubts)));
    }

    private static boolean waits(Subscriber subscriber) {
        return welcome(subscriber)
                ? subscriber.verified()
                : subscriber.state() == SubscriberState.UNCONFIRMED
                        && subscriber.bookkeeping().chore() == Bookkeeping.Chore.CONFIRMATION;
    }

    private static boolean welcome(Subscriber subscriber) {
        return subscriber.bookkeeping().chore() == Bookkeeping.Chore.WELCOME;
    }

    /**
     * Returns whether the row has this claim or its next renewal, whose answer may have been lost. A later claim of
     * another sender ends later than both.
     */
    private static boolean holds(Subscriber current, EmailClaim claim) {
        Bookkeeping.Claim held = current.bookkeeping().claim();
        return waits(current)
                && welcome(current) == claim.welcome()
                && held != null
                && (claim.until().equals(held.until())
                        || claim.until().plus(HALF).equals(held.until()));
    }

    private Declaration failure(Subscriber claimed, Reason reason) {
        return declaration(
                welcome(claimed) ? Declaration.Kind.WELCOME_FAILED : Declaration.Kind.CONFIRMATION_FAILED,
                reason.stored());
    }

    private Declaration declaration(Declaration.Kind kind, String detail) {
        return Declaration.of(kind, time.instant(), SENDER).withDetail(detail);
    }

    /**
     * A work item that asks for an email to a subscriber. Its text is {@code GUID,list}, or only the GUID.
     *
     * @param list {@code null} if the text names only a GUID
     */
    public record ConfirmationItem(
            SubscriberGuid guid, @Nullable ListName list) {

        public static final ItemType<ConfirmationItem> TYPE = new ItemType<>(
                "azuremailsubscribequeue", ConfirmationItem.class, ConfirmationItem::text, ConfirmationItem::parse);

        public String text() {
            return list == null ? guid.value() : guid.value() + "," + list.value();
        }

        /** @throws IllegalArgumentException if the text is not such an item */
        public static ConfirmationItem parse(String text) {
            int comma = text.indexOf(',');
            return comma < 0
                    ? new ConfirmationItem(new SubscriberGuid(text.strip()), null)
                    : new ConfirmationItem(
                            new SubscriberGuid(text.substring(0, comma).strip()),
                            new ListName(text.substring(comma + 1).strip()));
        }
    }
}
