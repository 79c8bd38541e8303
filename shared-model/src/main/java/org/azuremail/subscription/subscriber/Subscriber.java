package org.azuremail.subscription.subscriber;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Predicate;
import org.azuremail.field.IndexMark;
import org.azuremail.id.IdSource;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.jspecify.annotations.Nullable;

/**
 * A person on a list.
 *
 * @param address as typed; its folded form is the key
 * @param guid the secret in the person's links
 * @param createdAt when the row was created
 */
public record Subscriber(
        ListName list,
        EmailAddress address,
        SubscriberGuid guid,
        SubscriberState state,
        Profile profile,
        Instant createdAt,
        Consent consent,
        Bookkeeping bookkeeping) {

    public Subscriber {
        createdAt = createdAt.truncatedTo(ChronoUnit.MICROS);
    }

    /** Returns whether this person gets the emails of the list. */
    public boolean verified() {
        return state == SubscriberState.SUBSCRIBED;
    }

    public String rowKey() {
        return SubscriberKeys.email(address.folded());
    }

    public Membership membership() {
        return new Membership(list, address);
    }

    /** Returns the shard of the list that holds the row. */
    public int shard() {
        return guid.shard();
    }

    /** Returns the last time when the person, or an admin's change of address or list, requested a confirmation. */
    public Instant requestedAt() {
        return latest(Declaration.Kind::asksToConfirm);
    }

    private Instant latest(Predicate<Declaration.Kind> kinds) {
        return consent.declarations().stream()
                .filter(one -> kinds.test(one.kind()))
                .map(Declaration::at)
                .max(Comparator.naturalOrder())
                .orElse(createdAt);
    }

    /**
     * Returns a copy with the chore to send the welcome email, if the list has one. Callers use this for a person who
     * has just become Subscribed.
     */
    public Subscriber withWelcomeChore(MailingList list) {
        return list.welcome() ? withChore(Bookkeeping.Chore.WELCOME) : this;
    }

    /** Returns the last time when the person confirmed or subscribed. */
    public Instant joinedAt() {
        return latest(kind -> kind == Declaration.Kind.CONFIRMED || kind == Declaration.Kind.JOINED);
    }

    /** Returns the place to which this person has moved, if any. */
    public Optional<Membership> movedTo() {
        return state == SubscriberState.UNSUBSCRIBED ? Optional.ofNullable(bookkeeping.movedTo()) : Optional.empty();
    }

    /** Returns the place from which this person moved here, by a change of address or list, if any. */
    public Optional<Membership> arrivedFrom() {
        return Optional.ofNullable(bookkeeping.movedFrom());
    }

    /**
     * Returns the time when this row became active by a change of address or list; empty if it did not. For rows of an
     * older version, it is the time when the change was requested.
     */
    public Optional<Instant> arrivedAt() {
        return Optional.ofNullable(bookkeeping.arrivedAt())
                .or(() -> arrivedFrom().flatMap(this::asked).map(Declaration::at));
    }

    private Optional<Declaration> asked(Membership former) {
        return consent.declarations().stream()
                .filter(one ->
                        one.kind() == Declaration.Kind.ADDRESS_CHANGED || one.kind() == Declaration.Kind.LIST_CHANGED)
                .filter(one -> EmailAddress.fold(one.reason().text(0))
                        .equals(former.address().folded()))
                .max(Comparator.comparing(Declaration::at));
    }

    public static Subscriber first(
            ListName list,
            EmailAddress address,
            SubscriberGuid guid,
            SubscriberEvent event,
            Profile profile,
            Declaration declaration) {
        return new Subscriber(
                list,
                address,
                guid,
                event.requireAfter(null),
                profile,
                declaration.at(),
                Consent.of(declaration),
                Bookkeeping.NONE);
    }

    public Subscriber after(SubscriberEvent event, Declaration declaration) {
        return after(event).withDeclaration(declaration);
    }

    /**
     * Returns this subscriber after an event. A person who becomes Verified has no chore and no {@code left:} row
     * afterwards.
     */
    public Subscriber after(SubscriberEvent event) {
        SubscriberState next = event.requireAfter(state);
        Bookkeeping then =
                next == SubscriberState.SUBSCRIBED ? bookkeeping.withChore(null).withLeftAt(null) : bookkeeping;
        Bookkeeping kept = event.endsEpisode() ? then.inNextEpisode() : then;
        return new Subscriber(list, address, guid, next, profile, createdAt, consent, kept);
    }

    /**
     * Returns a copy with a new GUID for a person who moved away from this address and comes back, and otherwise this
     * subscriber.
     */
    public Subscriber withNewGuidIfMovedAway(IdSource ids) {
        return bookkeeping.movedTo() == null
                ? this
                : withGuid(SubscriberGuid.next(shard(), ids)).withBookkeeping(bookkeeping.withMove(null));
    }

    public Subscriber withAddress(EmailAddress typed) {
        return new Subscriber(list, typed, guid, state, profile, createdAt, consent, bookkeeping);
    }

    Subscriber withGuid(SubscriberGuid other) {
        return new Subscriber(list, address, other, state, profile, createdAt, consent, bookkeeping);
    }

    public Subscriber withProfile(Profile other) {
        return new Subscriber(list, address, guid, state, other, createdAt, consent, bookkeeping);
    }

    public Subscriber withDeclaration(Declaration declaration) {
        return new Subscriber(list, address, guid, state, profile, createdAt, consent.plus(declaration), bookkeeping);
    }

    /** Returns a copy with this mark, unless the present one is newer. */
    public Subscriber withIndexMark(IndexMark mark) {
        return bookkeeping.index().revision() > mark.revision()
                        || bookkeeping.index().equals(mark)
                ? this
                : withBookkeeping(bookkeeping.withIndex(mark));
    }

    /**
     * Returns a copy with a {@code left:} row, so that senders skip the person even in messages whose fan-out is done.
     * Of the chores, only a promised erasure remains.
     */
    public Subscriber withDeparture(Instant at) {
        boolean erased = bookkeeping.chore() == Bookkeeping.Chore.ERASURE;
        return withBookkeeping((erased ? bookkeeping : bookkeeping.withChore(null)).withLeftAt(at));
    }

    /** Returns a copy with this chore and without a claim or doubts. */
    public Subscriber withChore(Bookkeeping.@Nullable Chore chore) {
        return withBookkeeping(bookkeeping.withChore(chore));
    }

    public Subscriber withBookkeeping(Bookkeeping other) {
        return new Subscriber(list, address, guid, state, profile, createdAt, consent, other);
    }
}
