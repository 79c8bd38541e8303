package org.azuremail.subscription;

import java.time.ZoneOffset;
import org.azuremail.id.IdSource;
import org.azuremail.list.MailingList;
import org.jspecify.annotations.Nullable;

/** What becomes of one row of a file, given who has its address now. An import revives nobody and mails nobody. */
final class ImportDecision {

    private final MailingList list;
    private final SubscriberImport some;
    private final IdSource ids;
    private final Declaration declaration;
    private final Consent firstConsent;

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
        this.firstConsent = Consent.of(declaration);
    }

    /** A decision. */
    sealed interface Outcome {
        /** Somebody new. */
        record Imported(Subscriber subscriber) implements Outcome {}

        /** Somebody known, perhaps unchanged. */
        record Updated(Subscriber subscriber) implements Outcome {}

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
        return new Outcome.Updated(joins ? merged.after(SubscriberEvent.JOINED, declaration) : merged);
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
                    + " and comes back only by their own subscription";
        }
        if (current.state() == SubscriberState.UNSUBSCRIBED) {
            return "has left and comes back only by their own subscription";
        }
        return current.marks().moving() ? "is changing the address at this moment; import the row again" : null;
    }
}
