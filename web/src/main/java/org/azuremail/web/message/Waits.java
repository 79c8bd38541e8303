package org.azuremail.web.message;

import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.azuremail.delivery.MessageProgress.Wait;
import org.azuremail.limit.RateLimit;
import org.azuremail.route.Breaker;
import org.jspecify.annotations.Nullable;

/**
 * Why mails wait, each reason told once. The parts of a message note it one by one, in words that differ by a moment or by
 * what their own lot met: while a breaker is open, what it says stands for all that led to it.
 */
final class Waits {

    /**
     * One reason.
     *
     * @param until when mails go on, or {@code null} when nobody knows
     * @param page where it can be seen to; may be empty
     */
    record Told(String why, @Nullable Instant until, String page, String pageName) {}

    private Waits() {}

    static Collection<Told> of(List<Wait> waits) {
        Map<String, Told> byTransport = new LinkedHashMap<>();
        Map<String, Told> others = new LinkedHashMap<>();
        Map<String, Told> limits = new LinkedHashMap<>();
        for (Wait wait : waits) {
            Optional<Breaker.Told> breaker = Breaker.told(wait.why());
            if (breaker.isPresent()) {
                String why = sentence(breaker.get().cause());
                byTransport.merge(
                        breaker.get().transport(),
                        new Told(why, wait.until(), "/operations", "Operations"),
                        Waits::later);
            } else if (wait.why().startsWith(RateLimit.WORDS)) {
                limits.put(wait.why(), new Told(sentence(wait.why()), wait.until(), "/settings", "Mail rate"));
            } else {
                others.put(wait.why(), new Told(sentence(wait.why()), wait.until(), "", ""));
            }
        }
        Map<String, Told> told = byTransport.isEmpty() ? others : byTransport;
        told.putAll(limits);
        return told.values();
    }

    /** What was said last of a transport: a breaker that opens anew waits longer. */
    private static Told later(Told one, Told other) {
        Instant until = other.until();
        return until != null && (one.until() == null || until.isAfter(one.until())) ? other : one;
    }

    private static String sentence(String why) {
        return why.endsWith(".") ? why.substring(0, why.length() - 1) : why;
    }
}
