package org.azuremail.delivery.range;

import java.time.Instant;
import java.util.Comparator;
import org.azuremail.id.AsciiWord;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * Feedback on a Sent email: it bounced, or its recipient complained. Saved with the outcome.
 *
 * @param at when it happened, as its source says
 * @param code the enhanced status code, as {@code 5.1.1}, or another code of the source; may be empty
 * @param diagnostic the words of the other server; may be empty
 * @param source the origin of the feedback: {@value #EVENTS} or {@value #MAILBOX}
 */
public record Feedback(Kind kind, Instant at, String code, String diagnostic, String source) {

    public static final String EVENTS = "events";
    public static final String MAILBOX = "mailbox";

    private static final int MAX_LENGTH = 300;

    /** The kinds in order of strength: a later kind replaces an earlier one. Rows contain these names. */
    public enum Kind implements Reason.Code {
        /** Not delivered, for a reason unrelated to the address: the account, the content, or the sending host. */
        BLOCKED,
        /** Bounced for a reason that may be temporary. */
        SOFT_BOUNCE,
        /** Bounced permanently. */
        HARD_BOUNCE,
        /** Marked as spam. */
        COMPLAINT;

        /** Reads a kind. An unknown kind of a later version at least means that the email bounced. */
        private static Kind read(String stored) {
            return AsciiWord.find(Kind.class, Kind::name, stored).orElse(SOFT_BOUNCE);
        }
    }

    public Feedback {
        code = Reason.truncate(code, MAX_LENGTH);
        diagnostic = Reason.truncate(diagnostic.replaceAll("\\s+", " ").strip(), MAX_LENGTH);
    }

    public boolean complaint() {
        return kind == Kind.COMPLAINT;
    }

    /** Returns the reason from which the words are made. */
    public Reason reason() {
        String both = code.isEmpty() || diagnostic.contains(code) ? diagnostic : code + " " + diagnostic;
        return Reason.of(kind, both.strip());
    }

    /** Returns the stronger of the two, regardless of their order. */
    static @Nullable Feedback stronger(@Nullable Feedback one, @Nullable Feedback other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        Comparator<Feedback> strength = Comparator.comparing(Feedback::kind)
                .thenComparing(Comparator.comparing(Feedback::at).reversed())
                .thenComparing(Feedback::toString);
        return strength.compare(one, other) < 0 ? other : one;
    }

    static @Nullable Feedback from(Values v) {
        String kind = v.string("Feedback");
        return kind == null
                ? null
                : new Feedback(
                        Kind.read(kind),
                        v.requireInstant("FeedbackAt"),
                        v.string("FeedbackCode", ""),
                        v.string("FeedbackSaid", ""),
                        v.string("FeedbackSource", ""));
    }

    static Values into(Values values, @Nullable Feedback feedback) {
        return feedback == null
                ? values
                : values.toBuilder()
                        .put("Feedback", feedback.kind.name())
                        .put("FeedbackAt", feedback.at)
                        .put("FeedbackCode", feedback.code)
                        .put("FeedbackSaid", feedback.diagnostic)
                        .put("FeedbackSource", feedback.source)
                        .build();
    }
}
