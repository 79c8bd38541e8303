package org.azuremail.subscription.transfer;

import java.time.ZoneOffset;
import org.azuremail.id.IdSource;
import org.azuremail.list.MailingList;
import org.azuremail.subscription.subscriber.Consent;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Marks;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberEvent;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.subscription.subscriber.Transitions;
import org.jspecify.annotations.Nullable;

/** What becomes of one row of a file, given who has its address now. An import revives nobody and mails nobody. */
final class ImportDecision {

    private final MailingList list;
    private final SubscriberImport some;
    private final IdSource ids;
    private final Declaration declaration;
    private final Consent firstConsent;

    /** As the declaration's detail stands in what is stored. */
    private final String mark;

    ImportDecision(MailingList list, SubscriberImport some, IdSource ids) {
        this.list = list;
        this.some = some;
        this.ids = ids;
        this.declaration = new Declaration(
                some.verified() ? Declaration.Kind.IMPORTED_VERIFIED : Declaration.Kind.IMPORTED_UNVERIFIED,
                some.startedAt(),
                Origin.How.IMPORT,
                some.startedBy(),
                null,
                "import " + some.id());
        this.mark = "\"import " + some.id() + "\"";
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

        record Refused(String reason) implements Outcome {}
    }

    Outcome on(ImportRow row, @Nullable Subscriber current) {
        if (current == null) {
            return new Outcome.Imported(first(row));
        }
        String refusal = refusal(current);
        if (refusal != null) {
            return new Outcome.Refused(refusal);
        }
        Subscriber merged;
        try {
            merged = current.withProfile(current.profile().mergedWith(row.profile()));
        } catch (IllegalArgumentException tooMuch) {
            return new Outcome.Refused(String.valueOf(tooMuch.getMessage()));
        }
        boolean joins = some.verified() && current.state() == SubscriberState.UNCONFIRMED;
        Subscriber after = joins ? merged.after(SubscriberEvent.JOINED, declaration) : merged;
        return new Outcome.Updated(
                after, row.again() || current.consent().json().contains(mark));
    }

    private Subscriber first(ImportRow row) {
        SubscriberEvent event = some.verified() ? SubscriberEvent.JOINED : SubscriberEvent.ADDED;
        return new Subscriber(
                list.name(),
                row.address(),
                SubscriberGuid.next(list.shardOf(row.address()), ids),
                Transitions.require(null, event),
                row.profile(),
                some.startedAt(),
                firstConsent,
                Marks.NONE);
    }

    private static @Nullable String refusal(Subscriber current) {
        if (current.state() == SubscriberState.SUPPRESSED) {
            return "is suppressed and must not be mailed";
        }
        if (current.marks().leftAt() != null) {
            return "left on "
                    + current.marks().leftAt().atOffset(ZoneOffset.UTC).toLocalDate()
                    + "; an import brings nobody back";
        }
        if (current.state() == SubscriberState.UNSUBSCRIBED) {
            return "has left; an import brings nobody back";
        }
        return current.marks().moving() ? "is changing the address at this moment; import the row again" : null;
    }
}
