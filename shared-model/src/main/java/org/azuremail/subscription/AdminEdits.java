package org.azuremail.subscription;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.azuremail.id.IdSource;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.Subscriptions.EditResult;
import org.azuremail.subscription.store.SubscriberChange;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.DepartureListener;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberEvent;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.time.Time;

/** Changes subscribers on behalf of admins; the consent records the admin's name. */
record AdminEdits(ListStore lists, MoveAwareWriter writer, DepartureListener departures, IdSource ids, Time time) {

    public EditResult add(MailingList list, EmailAddress address, Profile profile, boolean verified, Origin origin) {
        return add(list, address, SubscriberGuid.next(list.shardOf(address), ids), profile, verified, origin);
    }

    public EditResult add(
            MailingList list,
            EmailAddress address,
            SubscriberGuid guid,
            Profile profile,
            boolean verified,
            Origin origin) {
        SubscriberEvent event = verified ? SubscriberEvent.VERIFIED : SubscriberEvent.ADDED;
        Declaration declaration =
                declaration(verified ? Declaration.Kind.VERIFIED_BY_ADMIN : Declaration.Kind.ADDED, origin);
        return writer.<EditResult>change(
                list,
                address,
                current -> current != null
                        ? SubscriberChange.nothing(new EditResult.AlreadyThere(current))
                        : storeWithAttributes(
                                list, Subscriber.first(list.name(), address, guid, event, profile, declaration)));
    }

    public EditResult edit(
            MailingList list, EmailAddress address, String etag, Profile profile, boolean verified, Origin origin) {
        return notifyIfGone(change(
                list,
                address,
                current -> current.etag().equals(etag)
                        ? edit(list, current, profile, verified, origin)
                        : SubscriberChange.nothing(new EditResult.Conflict(current))));
    }

    public EditResult suppress(MailingList list, EmailAddress address, Origin origin) {
        Declaration declaration = declaration(Declaration.Kind.SUPPRESSED, origin);
        return notifyIfGone(change(
                list,
                address,
                current -> current.value().state() == SubscriberState.SUPPRESSED
                        ? SubscriberChange.nothing(new EditResult.Saved(current))
                        : SubscriberChange.store(
                                current.value()
                                        .withDeparture(declaration.at())
                                        .after(SubscriberEvent.SUPPRESSED, declaration),
                                EditResult.Saved::new)));
    }

    public EditResult release(MailingList list, EmailAddress address, Origin origin) {
        Declaration declaration = declaration(Declaration.Kind.RELEASED, origin);
        return change(
                list,
                address,
                current -> current.value().state() != SubscriberState.SUPPRESSED
                        ? SubscriberChange.nothing(new EditResult.Saved(current))
                        : SubscriberChange.store(
                                current.value().after(SubscriberEvent.RELEASED, declaration), EditResult.Saved::new));
    }

    private EditResult change(
            MailingList list,
            EmailAddress address,
            Function<Versioned<Subscriber>, SubscriberChange<EditResult>> decision) {
        return writer.<EditResult>change(
                list,
                address,
                current ->
                        current == null ? SubscriberChange.nothing(new EditResult.Missing()) : decision.apply(current));
    }

    private SubscriberChange<EditResult> edit(
            MailingList list, Versioned<Subscriber> current, Profile profile, boolean verified, Origin origin) {
        Subscriber edited = current.value().withProfile(profile);
        if (verified == edited.verified()) {
            return storeWithAttributes(list, edited);
        }
        if (!verified) {
            Declaration declaration = declaration(Declaration.Kind.UNVERIFIED_BY_ADMIN, origin);
            return storeWithAttributes(
                    list, edited.withDeparture(declaration.at()).after(SubscriberEvent.UNVERIFIED, declaration));
        }
        if (SubscriberEvent.VERIFIED.after(edited.state()).isEmpty()) {
            return SubscriberChange.nothing(
                    new EditResult.NotPossible(current, Reason.of(EditReason.SUPPRESSED_FIRST)));
        }
        return storeWithAttributes(
                list,
                edited.withNewGuidIfMovedAway(ids)
                        .after(SubscriberEvent.VERIFIED, declaration(Declaration.Kind.VERIFIED_BY_ADMIN, origin)));
    }

    private EditResult notifyIfGone(EditResult result) {
        if (result instanceof EditResult.Saved saved
                && saved.subscriber().value().bookkeeping().leftAt() != null) {
            departures.notifyDeparture(saved.subscriber().value());
        }
        return result;
    }

    /** Adds the subscriber's attributes to the list first, so that none is stored that the list does not have. */
    private SubscriberChange<EditResult> storeWithAttributes(MailingList list, Subscriber subscriber) {
        Set<String> names = subscriber.profile().attributes().keySet();
        if (!list.attributes().containsAll(names)) {
            lists.addAttributes(list.name(), new TreeSet<>(names));
        }
        return SubscriberChange.store(subscriber, EditResult.Saved::new);
    }

    private Declaration declaration(Declaration.Kind kind, Origin origin) {
        return Declaration.of(kind, time.instant(), origin);
    }

    /** The reasons why an admin's change is refused. */
    enum EditReason implements Reason.Code {
        /**
         * The parameter is the new address. An email to it has been waiting since before the person left that address.
         */
        MOVE_EMAIL_WAITS,
        MOVE_STATE,
        /** The parameters are the name of the target list and the most attributes that a list may have. */
        MOVE_ATTRIBUTES,
        SUPPRESSED_FIRST
    }
}
