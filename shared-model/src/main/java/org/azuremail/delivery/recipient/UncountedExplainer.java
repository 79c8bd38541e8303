package org.azuremail.delivery.recipient;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.azuremail.list.SegmentName;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.Occasion;
import org.azuremail.reason.Reason;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Declaration.Kind;
import org.azuremail.subscription.subscriber.Subscriber;

/** Explains, from the declarations of a person on the list, why the person was not counted when a message was due. */
final class UncountedExplainer {

    private final Subscriber person;
    private final Instant due;
    private final List<Declaration> declarations;
    private final Reason unexplained;

    UncountedExplainer(Message message, Subscriber person) {
        this.person = person;
        this.due = message.dueAt();
        this.unexplained = unexplained(message.audience());
        this.declarations = person.consent().declarations().stream()
                .filter(this::isRelevant)
                .sorted(Comparator.comparing(Declaration::at))
                .toList();
    }

    private static Reason unexplained(Audience audience) {
        SegmentName segment = audience.segment();
        Occasion occasion = audience.occasion();
        if (occasion != null) {
            return Reason.of(
                    ExplanationCode.STORY_NOT_THE_DAY,
                    occasion.from().toString(),
                    occasion.to().toString());
        }
        return segment == null
                ? Reason.of(ExplanationCode.STORY_SUBSCRIBED)
                : Reason.of(ExplanationCode.STORY_NOT_IN_SEGMENT, segment.value());
    }

    /** Returns the reasons, in one or two sentences. */
    List<Reason> sentences() {
        Optional<Instant> arrived = person.arrivedAt().filter(at -> !at.isBefore(due));
        if (arrived.isPresent() && person.arrivedFrom().isPresent()) {
            return List.of(Reason.of(
                    ExplanationCode.STORY_TOOK_PLACE, person.arrivedFrom().get().toString(), arrived.get()));
        }
        if (person.createdAt().isAfter(due)) {
            return List.of(Reason.of(ExplanationCode.STORY_ADDED_LATER, person.createdAt(), due));
        }
        Optional<Declaration> then =
                declarations.stream().filter(one -> !one.at().isAfter(due)).reduce((earlier, later) -> later);
        Optional<Declaration> between =
                declarations.stream().filter(one -> one.at().isAfter(due)).findFirst();
        return then.filter(one -> verifies(one.kind())).isPresent() ? wasVerified(between) : notVerified(then, between);
    }

    private List<Reason> wasVerified(Optional<Declaration> between) {
        return between.filter(one -> !verifies(one.kind()))
                .map(one -> List.of(state(one), Reason.of(ExplanationCode.STORY_BEFORE_COUNTING)))
                .orElse(List.of(unexplained));
    }

    private List<Reason> notVerified(Optional<Declaration> then, Optional<Declaration> between) {
        Reason state = then.map(this::state).orElse(Reason.of(ExplanationCode.STORY_NOT_EXPLAINED));
        return between.filter(one -> verifies(one.kind()))
                .map(one -> List.of(state, Reason.of(ExplanationCode.STORY_SUBSCRIBED_LATE, one.at())))
                .orElse(List.of(state));
    }

    private Reason state(Declaration one) {
        return switch (one.kind()) {
            case LEFT -> Reason.of(ExplanationCode.STORY_LEFT, one.at());
            case RELEASED -> Reason.of(ExplanationCode.STORY_RELEASED, one.at());
            case SUPPRESSED -> Reason.of(ExplanationCode.STORY_SUPPRESSED, one.at());
            case ERASURE_ASKED -> Reason.of(ExplanationCode.STORY_DELETION_ASKED, one.at());
            case UNVERIFIED_BY_ADMIN -> Reason.of(ExplanationCode.STORY_UNVERIFIED, one.by(), one.at());
            case ADDED, IMPORTED_UNVERIFIED -> Reason.of(ExplanationCode.STORY_ADDED_UNCONFIRMED, one.at());
            case ADDRESS_CHANGED, LIST_CHANGED ->
                person.movedTo()
                        .map(to -> Reason.of(
                                ExplanationCode.STORY_MOVED,
                                to.address().value(),
                                to.list().value(),
                                one.at()))
                        .orElse(Reason.of(ExplanationCode.STORY_MOVED_AWAY, one.at()));
            default -> Reason.of(ExplanationCode.STORY_UNCONFIRMED, one.at());
        };
    }

    /** Returns whether the person gets list emails from this declaration on. */
    private static boolean verifies(Kind kind) {
        return switch (kind) {
            case CONFIRMED, JOINED, VERIFIED_BY_ADMIN, IMPORTED_VERIFIED -> true;
            default -> false;
        };
    }

    /**
     * Returns whether a declaration explains anything; one that moved the person here does not, because the state moved
     * with the person.
     */
    private boolean isRelevant(Declaration one) {
        return switch (one.kind()) {
            case CONFIRMATION_REQUESTED, CONFIRMATION_SENT, CONFIRMATION_FAILED, WELCOME_SENT, WELCOME_FAILED -> false;
            case ADDRESS_CHANGED, LIST_CHANGED -> person.movedTo().isPresent();
            default -> true;
        };
    }
}
