package org.azuremail.delivery.range;

import java.time.Instant;
import java.util.Comparator;
import org.azuremail.id.AsciiWord;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * News about an email after it was Sent: it came back, or its recipient complained. Stored beside the outcome.
 *
 * @param at when it happened, as its source says
 * @param code the enhanced status code, as {@code 5.1.1}, or another code of the source; may be empty
 * @param said the words of the other server; may be empty
 * @param source where the news comes from: {@value #EVENTS} or {@value #MAILBOX}
 */
public record Feedback(Kind kind, Instant at, String code, String said, String source) {

    public static final String EVENTS = "events";
    public static final String MAILBOX = "mailbox";

    private static final int LONGEST = 300;

    /** In order of strength: the last one counts. Rows contain these names. */
    public enum Kind implements Reason.Code {
        /** Not delivered, for a reason that says nothing of the address: the account, the content, our host. */
        BLOCKED,
        /** Came back, for a reason that may pass. */
        SOFT_BOUNCE,
        /** Came back for good. */
        HARD_BOUNCE,
        /** Marked as spam. */
        COMPLAINT;

        /** A kind of a later version at least means that something came back. */
        private static Kind read(String stored) {
            return AsciiWord.find(Kind.class, Kind::name, stored).orElse(SOFT_BOUNCE);
        }
    }

    public Feedback {
        code = Reason.cut(code, LONGEST);
        said = Reason.cut(said.replaceAll("\\s+", " ").strip(), LONGEST);
    }

    public boolean complaint() {
        return kind == Kind.COMPLAINT;
    }

    /** The reason, from which the words are made. */
    public Reason reason() {
        String both = code.isEmpty() || said.contains(code) ? said : code + " " + said;
        return Reason.of(kind, both.strip());
    }

    /** Returns the one of two that counts, whatever their order. */
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
                        .put("FeedbackSaid", feedback.said)
                        .put("FeedbackSource", feedback.source)
                        .build();
    }
}
