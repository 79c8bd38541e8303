package org.azuremail.subscription.transfer;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.azuremail.id.IdSource;
import org.azuremail.list.MailingList;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.subscription.subscriber.Bookkeeping;
import org.azuremail.subscription.subscriber.Consent;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberEvent;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.subscription.transfer.ImportBatch.ImportRow;
import org.azuremail.subscription.transfer.ImportRefusedException.ImportReason;
import org.jspecify.annotations.Nullable;

/**
 * Decides the effect of a row of a file, given the present subscriber with its address. An import does not subscribe
 * anyone who unsubscribed, and sends no email.
 */
final class ImportDecision {

    private final MailingList list;
    private final SubscriberImport subscriberImport;
    private final long chunk;
    private final IdSource ids;
    private final Declaration agreed;
    private final Consent agreedConsent;
    private final Consent unconfirmedConsent;

    /** @param chunk the number of the chunk in its file, whose new subscribers get adjacent SubscriberGUIDs */
    ImportDecision(MailingList list, SubscriberImport subscriberImport, long chunk, IdSource ids) {
        this.list = list;
        this.subscriberImport = subscriberImport;
        this.chunk = chunk;
        this.ids = ids;
        this.agreed = declaration(Declaration.Kind.IMPORTED_VERIFIED);
        this.agreedConsent = Consent.of(agreed);
        this.unconfirmedConsent = Consent.of(declaration(Declaration.Kind.IMPORTED_UNVERIFIED));
    }

    private Declaration declaration(Declaration.Kind kind) {
        return new Declaration(
                kind,
                subscriberImport.startedAt(),
                Origin.Channel.IMPORT,
                subscriberImport.startedBy(),
                null,
                Reason.of(ReasonCode.IMPORT, subscriberImport.id().value()).stored());
    }

    /**
     * Returns the subscriber after the row, which may be unchanged.
     *
     * @param current {@code null} for a new address
     */
    Subscriber apply(ImportRow row, @Nullable Subscriber current) throws ImportRefusedException {
        if (current == null) {
            return first(row);
        }
        requireImportable(current);
        Subscriber merged;
        try {
            merged = current.withProfile(current.profile().mergedWith(row.profile()));
        } catch (Profile.InvalidProfileException tooMuch) {
            throw new ImportRefusedException(tooMuch.reason());
        }
        boolean joins = agreed(row) && current.state() == SubscriberState.UNCONFIRMED;
        return joins ? merged.after(SubscriberEvent.JOINED, agreed) : merged;
    }

    private boolean agreed(ImportRow row) {
        return subscriberImport.verified() && !row.unconfirmed();
    }

    /** Returns whether an earlier row of the same file was about this subscriber. */
    boolean repeats(ImportRow row, Subscriber current) {
        return row.repeated()
                || current.consent().declarations().stream()
                        .map(Declaration::reason)
                        .anyMatch(reason -> reason.equals(agreed.reason()) && !reason.none());
    }

    private Subscriber first(ImportRow row) {
        SubscriberEvent event = agreed(row) ? SubscriberEvent.JOINED : SubscriberEvent.ADDED;
        return new Subscriber(
                list.name(),
                row.address(),
                SubscriberGuid.inOrder(list.shardOf(row.address()), chunk, ids),
                event.requireAfter(null),
                row.profile(),
                subscriberImport.startedAt(),
                agreed(row) ? agreedConsent : unconfirmedConsent,
                Bookkeeping.NONE);
    }

    private static void requireImportable(Subscriber current) throws ImportRefusedException {
        Instant leftAt = current.bookkeeping().leftAt();
        if (current.state() == SubscriberState.SUPPRESSED) {
            throw new ImportRefusedException(ImportReason.ROW_SUPPRESSED);
        }
        if (leftAt != null) {
            throw new ImportRefusedException(
                    ImportReason.ROW_LEFT,
                    LocalDate.ofInstant(leftAt, ZoneOffset.UTC).toString());
        }
        if (current.state() == SubscriberState.UNSUBSCRIBED) {
            throw new ImportRefusedException(ImportReason.ROW_LEFT_ONCE);
        }
        if (current.bookkeeping().moving()) {
            throw new ImportRefusedException(ImportReason.ROW_MOVING);
        }
    }
}
