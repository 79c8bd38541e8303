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

/**
 * A person on a list.
 *
 * @param address as it was typed; its folded form is the key
 * @param guid the secret in the person's links
 * @param createdAt when the row was made
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

    /** Returns whether list mail goes to this person. */
    public boolean verified() {
        return state == SubscriberState.SUBSCRIBED;
    }

    /** The row key in its shard: where a walk goes on. */
    public String rowKey() {
        return SubscriberKeys.email(address.folded());
    }

    public Membership membership() {
        return new Membership(list, address);
    }

    /** The shard of the list that holds the row. */
    public int shard() {
        return guid.shard();
    }

    /** The time when a confirmation was last asked for, by the person or by an admin's change of address or list. */
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

    /** With the welcome email to be sent, if the list sends one; it has just become Subscribed. */
    public Subscriber welcomedBy(MailingList list) {
        return list.welcome() ? withBookkeeping(bookkeeping.withChore(Bookkeeping.Chore.WELCOME)) : this;
    }

    /** The time when the person last confirmed or subscribed, for which the welcome email is sent. */
    public Instant joinedAt() {
        return latest(kind -> kind == Declaration.Kind.CONFIRMED || kind == Declaration.Kind.JOINED);
    }

    /** The place to which the person moved who had this address here; empty if nobody moved away. */
    public Optional<Membership> movedTo() {
        return state == SubscriberState.UNSUBSCRIBED ? Optional.ofNullable(bookkeeping.movedTo()) : Optional.empty();
    }

    /** The place that the person came from, by a change of address or of list. */
    public Optional<Membership> arrivedFrom() {
        return Optional.ofNullable(bookkeeping.movedFrom());
    }

    /**
     * The time when this row became active by such a change; empty if it did not. An older version did not write that down:
     * then it is when the change was asked for.
     */
    public Optional<Instant> arrivedAt() {
        return Optional.ofNullable(bookkeeping.arrivedAt())
                .or(() -> arrivedFrom().flatMap(this::asked).map(Declaration::at));
    }

    private Optional<Declaration> asked(Membership former) {
        return consent.declarations().stream()
                .filter(one ->
                        one.kind() == Declaration.Kind.ADDRESS_CHANGED || one.kind() == Declaration.Kind.LIST_CHANGED)
                .filter(one ->
                        one.reason().text(0).equalsIgnoreCase(former.address().value()))
                .max(Comparator.comparing(Declaration::at));
    }

    /** Somebody who was not on the list. */
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
                Transitions.require(null, event),
                profile,
                declaration.at(),
                Consent.of(declaration),
                Bookkeeping.NONE);
    }

    /** This subscriber after an event, with its declaration. */
    public Subscriber after(SubscriberEvent event, Declaration declaration) {
        return after(event).withConsent(consent.plus(declaration));
    }

    /** This subscriber after an event; one who becomes Verified waits for nothing and no longer counts as having left. */
    public Subscriber after(SubscriberEvent event) {
        SubscriberState next = Transitions.require(state, event);
        Bookkeeping then =
                next == SubscriberState.SUBSCRIBED ? bookkeeping.withChore(null).withLeftAt(null) : bookkeeping;
        Bookkeeping kept = event.endsEpisode() ? then.inNextEpisode() : then;
        return new Subscriber(list, address, guid, next, profile, createdAt, consent, kept);
    }

    /** A person who moved away from this address and comes back gets a GUID of their own again. */
    public Subscriber atHome(IdSource ids) {
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

    public Subscriber withConsent(Consent other) {
        return new Subscriber(list, address, guid, state, profile, createdAt, other, bookkeeping);
    }

    /** With this mark of what is indexed, unless it has a newer one. */
    public Subscriber indexedBy(IndexMark mark) {
        return bookkeeping.index().revision() > mark.revision()
                        || bookkeeping.index().equals(mark)
                ? this
                : withBookkeeping(bookkeeping.withIndex(mark));
    }

    public Subscriber withBookkeeping(Bookkeeping other) {
        return new Subscriber(list, address, guid, state, profile, createdAt, consent, other);
    }
}
