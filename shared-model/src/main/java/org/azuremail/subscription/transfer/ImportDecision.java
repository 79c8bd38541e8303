package org.azuremail.subscription.transfer;

import java.time.ZoneOffset;
import org.azuremail.id.IdSource;
import org.azuremail.list.MailingList;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.subscription.subscriber.Bookkeeping;
import org.azuremail.subscription.subscriber.Consent;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberEvent;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.subscription.subscriber.Transitions;
import org.jspecify.annotations.Nullable;

/** Decides on one row of a file, given the subscriber who has its address now. An import revives nobody and mails nobody. */
final class ImportDecision {

    private final MailingList list;
    private final SubscriberImport some;
    private final long chunk;
    private final IdSource ids;
    private final Declaration declaration;
    private final Consent firstConsent;

    /** @param chunk the number of the chunk in its file: those who come with one have SubscriberGUIDs side by side */
    ImportDecision(MailingList list, SubscriberImport some, long chunk, IdSource ids) {
        this.list = list;
        this.some = some;
        this.chunk = chunk;
        this.ids = ids;
        this.declaration = new Declaration(
                some.verified() ? Declaration.Kind.IMPORTED_VERIFIED : Declaration.Kind.IMPORTED_UNVERIFIED,
                some.startedAt(),
                Origin.How.IMPORT,
                some.startedBy(),
                null,
                Reason.of(ReasonCode.IMPORT, some.id().value()).stored());
        this.firstConsent = Consent.of(declaration);
    }

    /** A decision. */
    sealed interface Outcome {
        /** Somebody new. */
        record Imported(Subscriber subscriber) implements Outcome {}

        /**
         * Somebody known, perhaps unchanged.
         *
         * @param repeated that an earlier row of the same file was about them
         */
        record Updated(Subscriber subscriber, boolean repeated) implements Outcome {}

        record Refused(Reason reason) implements Outcome {}
    }

    Outcome on(ImportRow row, @Nullable Subscriber current) {
        if (current == null) {
            return new Outcome.Imported(first(row));
        }
        Reason refusal = refusal(current);
        if (!refusal.none()) {
            return new Outcome.Refused(refusal);
        }
        Subscriber merged;
        try {
            merged = current.withProfile(current.profile().mergedWith(row.profile()));
        } catch (IllegalArgumentException tooMuch) {
            return new Outcome.Refused(Reason.said(tooMuch.getMessage()));
        }
        boolean joins = some.verified() && current.state() == SubscriberState.UNCONFIRMED;
        Subscriber after = joins ? merged.after(SubscriberEvent.JOINED, declaration) : merged;
        return new Outcome.Updated(after, row.again() || broughtBy(current));
    }

    private boolean broughtBy(Subscriber current) {
        return current.consent().declarations().stream()
                .anyMatch(one -> one.reason().equals(declaration.reason())
                        && !one.reason().none());
    }

    private Subscriber first(ImportRow row) {
        SubscriberEvent event = some.verified() ? SubscriberEvent.JOINED : SubscriberEvent.ADDED;
        return new Subscriber(
                list.name(),
                row.address(),
                SubscriberGuid.inOrder(list.shardOf(row.address()), chunk, ids),
                Transitions.require(null, event),
                row.profile(),
                some.startedAt(),
                firstConsent,
                Bookkeeping.NONE);
    }

    private static Reason refusal(Subscriber current) {
        if (current.state() == SubscriberState.SUPPRESSED) {
            return Reason.of(ImportReason.ROW_SUPPRESSED);
        }
        if (current.bookkeeping().leftAt() != null) {
            return Reason.of(
                    ImportReason.ROW_LEFT,
                    current.bookkeeping()
                            .leftAt()
                            .atOffset(ZoneOffset.UTC)
                            .toLocalDate()
                            .toString());
        }
        if (current.state() == SubscriberState.UNSUBSCRIBED) {
            return Reason.of(ImportReason.ROW_LEFT_ONCE);
        }
        return current.bookkeeping().moving() ? Reason.of(ImportReason.ROW_MOVING) : Reason.NONE;
    }
}
