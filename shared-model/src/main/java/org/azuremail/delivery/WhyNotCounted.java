package org.azuremail.delivery;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.azuremail.message.Message;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Declaration.Kind;
import org.azuremail.subscription.subscriber.Subscriber;

/** Reads from the declarations of a person on the list why they were not counted when a message was due. */
final class WhyNotCounted {

    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("d MMM yyyy, HH:mm 'UTC'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private final Subscriber person;
    private final Instant due;
    private final List<Declaration> declarations;

    private WhyNotCounted(Message message, Subscriber person) {
        this.person = person;
        this.due = message.dueAt();
        this.declarations = person.consent().declarations().stream()
                .filter(this::tells)
                .sorted(Comparator.comparing(Declaration::at))
                .toList();
    }

    /** A sentence or two. */
    static String of(Message message, Subscriber person) {
        return new WhyNotCounted(message, person).sentence();
    }

    private String sentence() {
        Optional<Instant> arrived = person.arrivedAt().filter(at -> !at.isBefore(due));
        if (arrived.isPresent() && person.arrivedFrom().isPresent()) {
            return "It took the place of " + person.arrivedFrom().get() + " on " + DATE.format(arrived.get())
                    + ", when the message was due already: look for that one.";
        }
        if (person.createdAt().isAfter(due)) {
            return "It is on the list since " + DATE.format(person.createdAt()) + "; the message was due before, on "
                    + DATE.format(due) + ".";
        }
        Optional<Declaration> then =
                declarations.stream().filter(one -> !one.at().isAfter(due)).reduce((earlier, later) -> later);
        boolean wasVerified = then.filter(one -> verifies(one.kind())).isPresent();
        Optional<Declaration> between =
                declarations.stream().filter(one -> one.at().isAfter(due)).findFirst();
        if (!wasVerified) {
            return then.map(this::state).orElse("Nothing on record says why.")
                    + between.filter(one -> verifies(one.kind()))
                            .map(one -> " It is subscribed since " + DATE.format(one.at()) + ", which was too late.")
                            .orElse("");
        }
        return between.filter(one -> !verifies(one.kind()))
                .map(one -> state(one) + " That was before its part of the list was counted.")
                .orElse("It is subscribed, and nothing on record says why it was not counted.");
    }

    private String state(Declaration one) {
        String when = " on " + DATE.format(one.at());
        return switch (one.kind()) {
            case LEFT -> "It had left the list" + when + ".";
            case RELEASED -> "It had been suppressed until" + when.substring(3) + ", and had not subscribed again.";
            case SUPPRESSED -> "It had been suppressed" + when + ": it must not be mailed.";
            case ERASURE_ASKED -> "Its deletion was asked for" + when + ".";
            case UNVERIFIED_BY_ADMIN -> "It was not verified any more: " + one.by() + " took that away" + when + ".";
            case ADDED, IMPORTED_UNVERIFIED -> "It had not been confirmed since it was put on the list" + when + ".";
            case ADDRESS_CHANGED, LIST_CHANGED ->
                "It had moved to "
                        + person.movedTo()
                                .map(to -> to.address() + " on the list " + to.list())
                                .orElse("another place")
                        + when + ".";
            default -> "It had not been confirmed since it was asked for" + when + ".";
        };
    }

    /** Whether list mail goes to the person from here on, unless something else was declared. */
    private static boolean verifies(Kind kind) {
        return switch (kind) {
            case CONFIRMED, JOINED, VERIFIED_BY_ADMIN, IMPORTED_VERIFIED -> true;
            default -> false;
        };
    }

    /** Whoever arrived here by a move brought their state along. */
    private boolean tells(Declaration one) {
        return switch (one.kind()) {
            case CONFIRMATION_REQUESTED, CONFIRMATION_SENT, CONFIRMATION_FAILED -> false;
            case ADDRESS_CHANGED, LIST_CHANGED -> person.movedTo().isPresent();
            default -> true;
        };
    }
}
