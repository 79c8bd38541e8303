package org.azuremail.route;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.azuremail.limit.RateLimitWait;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport.Guard;
import org.azuremail.mail.Unavailable;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.jspecify.annotations.Nullable;

/**
 * All transports of a process, and the order in which they are asked. The next one is asked only if nothing was taken.
 * Safe for use from many threads.
 *
 * @param table read for each lot, so that a change takes effect at once; may throw the exceptions of the storage
 * @param concurrency the number of lots that make sense at the same time in one process
 * @param ofOne the largest number of lots that make sense for one transport
 */
public record Routes(Supplier<RouteTable> table, int concurrency, int ofOne) {

    /** @param order names of the transports that are used unless a list chooses another; at least one */
    public record RouteTable(Map<String, Route> byName, List<String> order) {

        public RouteTable {
            order = List.copyOf(order);
            if (order.isEmpty() || !byName.keySet().containsAll(order)) {
                throw new IllegalArgumentException("no order of known transports: " + order);
            }
        }
    }

    /** The transport that takes the next lot, or the reason why none does. */
    public sealed interface Pick {

        /**
         * This transport takes the next lot at once.
         *
         * @param alone whether no other transport is an alternative to it
         */
        record Selected(Route route, boolean alone) implements Pick {

            /**
             * Hands a lot of a message over. If this transport refuses the message, the whole lot may be handed to
             * another one at once.
             */
            public HandOverResult handOver(MailLot lot, Guard guard, @Nullable Instant since) {
                HandOverResult result = route.interpret(route.transport().handOver(lot, guard), since);
                return result.refusesMessage() && !alone
                        ? result.replaceInterrupted(retry -> new Answer.NotAttempted())
                        : result;
            }

            /** Reports the result of a lot to its breaker. Never throws. */
            public void report(HandOverResult handOver) {
                route.report(handOver, alone);
            }
        }

        /** No transport takes the lot. An admin has to act only when all transports say so. */
        record None(Unavailable unavailable) implements Pick {}
    }

    /** @param lots for each transport, the number of its lots that make sense at the same time; at least one */
    public static Routes of(Supplier<RouteTable> known, List<Integer> lots) {
        return new Routes(known, lots.stream().mapToInt(Integer::intValue).sum(), Collections.max(lots));
    }

    /** Returns whether there is only one transport, so that there is no choice. */
    public boolean single() {
        return table.get().byName().size() == 1;
    }

    /**
     * Takes a place among the lots that a transport carries at the same time, to be given back. Returns false when all
     * are taken. Each of the other transports keeps a handler, including one that was added after the handlers were
     * counted.
     */
    public boolean enter(Route route) {
        int others = table.get().byName().size() - 1;
        return route.enter(Math.max(1, concurrency - others));
    }

    /**
     * Picks the first transport that takes a lot.
     *
     * @param first the transport to ask before the others, if one was chosen; an unknown name counts as none
     * @param attempt names the attempt, and remembers which transports recently took nothing from it
     */
    public Pick pick(@Nullable String first, Attempt attempt) {
        List<Route> asked = inOrder(first);
        Pick pick = pick(asked, attempt);
        // A refused caller may wait for a long time, so a refusal is never given from memory.
        boolean again = pick instanceof Pick.None
                && asked.stream().anyMatch(route -> route.breaker().closedMeanwhile());
        return again ? pick(asked, attempt) : pick;
    }

    private static Pick pick(List<Route> asked, Attempt attempt) {
        boolean alone = asked.size() == 1;
        Map<Route, Unavailable> refused = new LinkedHashMap<>();
        for (Route route : asked) {
            Optional<Unavailable> backoff = attempt.activeBackoff(route.name());
            Optional<Unavailable> why = backoff.isPresent() ? backoff : route.ready(attempt, alone);
            if (why.isEmpty()) {
                return new Pick.Selected(route, alone);
            }
            refused.put(route, why.get());
        }
        return pickRepaired(refused, attempt).orElseGet(() -> new Pick.None(combine(refused)));
    }

    /**
     * The pick for a single email.
     *
     * @param limit zero with a token of the picked transport's limits; otherwise how long to wait for a token
     */
    public record Single(Pick pick, RateLimitWait limit) {}

    /** Picks the first transport that takes a single email; its limits count if they are a reason to ask another. */
    public Single pickForOne(@Nullable String first, Attempt attempt) {
        Pick pick = pick(first, attempt);
        while (pick instanceof Pick.Selected selected) {
            RateLimitWait wait = selected.route().limit().take(1);
            if (wait.isZero() || !attempt.limitReached(selected.route(), wait)) {
                return new Single(pick, wait);
            }
            pick = pick(first, attempt);
        }
        return new Single(pick, RateLimitWait.NONE);
    }

    /**
     * Picks a transport after all need an admin. The admin may have acted since, so transports that only their breaker
     * holds back are tried again.
     */
    private static Optional<Pick> pickRepaired(Map<Route, Unavailable> refused, Attempt attempt) {
        if (refused.values().stream().anyMatch(why -> why.kind() == Kind.WAIT)) {
            return Optional.empty();
        }
        for (Map.Entry<Route, Unavailable> entry : refused.entrySet()) {
            Route route = entry.getKey();
            boolean heldBack = entry.getValue().asked()
                    && attempt.activeBackoff(route.name()).isEmpty();
            if (heldBack && route.prepare(attempt, false).isEmpty()) {
                return Optional.of(new Pick.Selected(route, false));
            }
        }
        return Optional.empty();
    }

    private List<Route> inOrder(@Nullable String first) {
        RouteTable now = table.get();
        return Stream.concat(Stream.ofNullable(first), now.order().stream())
                .distinct()
                .flatMap(name -> Stream.ofNullable(now.byName().get(name)))
                .toList();
    }

    private static Unavailable combine(Map<Route, Unavailable> refused) {
        if (refused.size() == 1) {
            return refused.values().iterator().next();
        }
        Duration earliest = refused.values().stream()
                .map(Unavailable::retryAfter)
                .min(Duration::compareTo)
                .orElseThrow();
        boolean person = refused.values().stream().noneMatch(why -> why.kind() == Kind.WAIT);
        Reason reasons = refused.values().stream()
                .map(Unavailable::reason)
                .reduce(Reason::and)
                .orElseThrow();
        return new Unavailable(person ? Kind.PAUSE : Kind.WAIT, reasons, earliest);
    }

    /** Hands a single email over by the first transport that takes it, if one has a place and tokens for it. */
    public HandOverResult handOver(@Nullable String first, Attempt attempt, Supplier<MailLot> lot) {
        Single single = pickForOne(first, attempt);
        if (single.pick() instanceof Pick.None none) {
            return HandOverResult.notAttempted(1, none.unavailable());
        }
        RateLimitWait wait = single.limit();
        return wait.isZero()
                ? handOver((Pick.Selected) single.pick(), first, attempt, lot.get(), () -> true)
                : HandOverResult.notAttempted(1, new Unavailable(Kind.WAIT, wait.reason(), wait.duration()));
    }

    /** Hands a single email over, by the next transport if one takes nothing. */
    public HandOverResult handOver(
            Pick.Selected selected, @Nullable String first, Attempt attempt, MailLot lot, Guard guard) {
        HandOverResult result = call(selected, lot, guard);
        Optional<Unavailable> why =
                result.unavailable().or(() -> broke(result.answers().get(0)));
        if (why.isEmpty() || !guard.mayContinue()) {
            return result;
        }
        attempt.backOff(selected.route(), why.get());
        if (pick(first, attempt) instanceof Pick.Selected next
                && next.route().limit().take(1).isZero()) {
            return handOver(next, first, attempt, lot, guard);
        }
        return result;
    }

    private static Optional<Unavailable> broke(Answer answer) {
        return answer instanceof Answer.RetryAfter retry && retry.interrupted()
                ? Optional.of(new Unavailable(Kind.WAIT, retry.reason(), retry.delay()))
                : Optional.empty();
    }

    /** Converts a refusal of the message, because a single email has no message that could be paused. */
    private static HandOverResult refused(HandOverResult result) {
        return result.refusesMessage()
                ? HandOverResult.answered(result.replaceInterrupted(retry -> new Answer.Refused(retry.reason()))
                        .answers())
                : result;
    }

    private static HandOverResult call(Pick.Selected selected, MailLot lot, Guard guard) {
        try {
            HandOverResult result = refused(
                    selected.route().interpret(selected.route().transport().handOver(lot, guard), null));
            selected.report(result);
            return result;
        } catch (RuntimeException broken) {
            selected.report(HandOverResult.same(
                    1, new Answer.Unknown(Reason.of(ReasonCode.TRANSPORT_BROKE, broken.toString()))));
            throw broken;
        }
    }
}
