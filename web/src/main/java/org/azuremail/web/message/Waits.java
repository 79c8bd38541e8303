package org.azuremail.web.message;

import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.azuremail.delivery.archive.MessageProgress.Wait;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.jspecify.annotations.Nullable;

/**
 * The reasons why mails wait, each told once. The parts of a message note it one by one, in words that differ by a moment or by
 * what their own lot met: while a breaker is open, what it says stands for all that led to it.
 */
final class Waits {

    /**
     * One reason.
     *
     * @param until when mails go on, or {@code null} when nobody knows
     * @param page where it can be changed; may be empty
     * @param label code of the text of the link to that page; may be empty
     */
    record Told(String why, @Nullable Instant until, String page, String label) {}

    private static final Set<ReasonCode> LIMITS =
            EnumSet.of(ReasonCode.RATE_SECOND, ReasonCode.RATE_MINUTE, ReasonCode.RATE_HOUR, ReasonCode.RATE_DAY);

    private static final Set<ReasonCode> LIMITS_OF_LISTS =
            EnumSet.of(ReasonCode.LIST_RATE_MINUTE, ReasonCode.LIST_RATE_HOUR);

    private Waits() {}

    static Collection<Told> of(List<Wait> waits) {
        Map<String, Told> byTransport = new LinkedHashMap<>();
        Map<String, Told> others = new LinkedHashMap<>();
        Map<String, Told> limits = new LinkedHashMap<>();
        for (Wait wait : waits) {
            Reason why = wait.why();
            if (why.is(ReasonCode.LEFT_ALONE)) {
                String cause = sentence(why.cause(2));
                byTransport.merge(
                        why.text(0),
                        new Told(cause, wait.until(), "/operations", "nav.group.operations"),
                        Waits::later);
            } else if (LIMITS.stream().anyMatch(why::is)) {
                limits.put(why.words(), new Told(sentence(why), wait.until(), "/settings", "nav.sending"));
            } else if (LIMITS_OF_LISTS.stream().anyMatch(why::is)) {
                String form = "/lists/" + why.text(0) + "/edit";
                limits.put(why.words(), new Told(sentence(why), wait.until(), form, "edit.list"));
            } else {
                others.put(why.words(), new Told(sentence(why), wait.until(), "", ""));
            }
        }
        Map<String, Told> told = byTransport.isEmpty() ? others : byTransport;
        told.putAll(limits);
        return told.values();
    }

    /** The later of two reports on a transport: a breaker that opens anew waits longer. */
    private static Told later(Told one, Told other) {
        Instant until = other.until();
        return until != null && (one.until() == null || until.isAfter(one.until())) ? other : one;
    }

    private static String sentence(Reason reason) {
        String why = reason.words();
        return why.replaceFirst("\\.$", "");
    }
}
