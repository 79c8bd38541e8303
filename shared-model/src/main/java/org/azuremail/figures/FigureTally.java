package org.azuremail.figures;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.azuremail.delivery.range.Feedback;
import org.azuremail.delivery.range.OutcomeGroup;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.figures.Figures.DomainCounts;
import org.azuremail.figures.Figures.Rate;
import org.azuremail.figures.Figures.ReasonCount;
import org.azuremail.message.Outcome;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.reason.Reason;

/** Counts outcomes one by one, in bounded memory. */
final class FigureTally {

    private static final int REASONS = 40;
    private static final int DOMAINS = 50;

    /** The most reasons and the most domains that are counted separately; further ones are counted together. */
    private static final int MAX = 20_000;

    /** The longest part of a reason that is compared, in characters. */
    private static final int MAX_LENGTH = 300;

    /** The most points of a plot. A longer period has longer steps. */
    private static final int STEPS = 120;

    /** The shortest step, in seconds. Shorter steps would show a limit for a minute as a multiple of it. */
    private static final long FIRST_STEP = 60;

    /** Addresses and ids of emails, which differ between recipients. */
    private static final Pattern OF_ONE =
            Pattern.compile("[^\\s<>|\"'(),;:=]+@[^\\s<>|\"'(),;]+|\\b(?=\\w*\\d)[0-9A-Za-z_-]{9,}\\b(?!:\\d)");

    private record Key(Outcome outcome, String reason) {}

    private final Map<Key, Long> reasons = new HashMap<>();
    private final Map<String, OutcomeCounts> domains = new HashMap<>();
    private final TreeMap<Long, Long> steps = new TreeMap<>();
    private long step = FIRST_STEP;
    private OutcomeCounts all = OutcomeCounts.NONE;
    private OutcomeCounts otherDomains = OutcomeCounts.NONE;
    private long otherReasons;
    private long undecided;
    private final Instant begun;

    /** @param begun when this count began */
    FigureTally(Instant begun) {
        this.begun = begun;
    }

    void add(RecordedOutcome recorded) {
        Outcome outcome = recorded.outcome();
        all = recorded.addTo(all);
        addDomain(recorded);
        Feedback feedback = recorded.feedback();
        if (outcome != Outcome.SENT) {
            addReason(outcome, recorded.reason());
        } else if (feedback != null) {
            addReason(outcome, feedback.reason());
        }
        if (OutcomeGroup.UNDECIDED.holds(recorded, begun)) {
            undecided++;
        }
        if (outcome != Outcome.SKIPPED) {
            addMoment(recorded.handedOverAt());
        }
    }

    private void addDomain(RecordedOutcome recorded) {
        String domain = recorded.address().domain();
        if (domains.size() < MAX || domains.containsKey(domain)) {
            domains.merge(domain, recorded.addTo(OutcomeCounts.NONE), OutcomeCounts::plus);
        } else {
            otherDomains = recorded.addTo(otherDomains);
        }
    }

    private void addReason(Outcome outcome, Reason reason) {
        Key key = new Key(outcome, general(reason));
        if (reasons.size() < MAX || reasons.containsKey(key)) {
            reasons.merge(key, 1L, Long::sum);
        } else {
            otherReasons++;
        }
    }

    /** Returns a text that is the same for all recipients with the same cause. */
    private static String general(Reason reason) {
        return reason.none() ? "" : withoutNames(reason, 0).stored(MAX_LENGTH);
    }

    private static Reason withoutNames(Reason reason, int depth) {
        List<Object> values = new ArrayList<>();
        for (Object value : reason.values()) {
            values.add(
                    value instanceof String text
                            ? OF_ONE.matcher(text).replaceAll("…")
                            : value instanceof Reason cause && depth < 3 ? withoutNames(cause, depth + 1) : value);
        }
        return new Reason(reason.code(), values);
    }

    private void addMoment(Instant at) {
        steps.merge(at.getEpochSecond() / step, 1L, Long::sum);
        while (steps.lastKey() - steps.firstKey() >= STEPS) {
            widen();
        }
    }

    private void widen() {
        step *= 2;
        TreeMap<Long, Long> wider = new TreeMap<>();
        steps.forEach((number, emails) -> wider.merge(Math.floorDiv(number, 2), emails, Long::sum));
        steps.clear();
        steps.putAll(wider);
    }

    Figures figures() {
        List<ReasonCount> max = reasons.entrySet().stream()
                .map(one -> new ReasonCount(
                        one.getKey().outcome(), Reason.read(one.getKey().reason()), one.getValue()))
                .sorted(Comparator.comparingLong(ReasonCount::recipients)
                        .reversed()
                        .thenComparing(one -> one.outcome() + one.reason().stored()))
                .toList();
        List<DomainCounts> largest = domains.entrySet().stream()
                .map(one -> new DomainCounts(one.getKey(), one.getValue()))
                .sorted(Comparator.<DomainCounts>comparingLong(
                                one -> one.counts().sum())
                        .reversed()
                        .thenComparing(DomainCounts::name))
                .toList();
        return new Figures(
                begun,
                all,
                rate(),
                List.copyOf(max.subList(0, Math.min(REASONS, max.size()))),
                otherReasons
                        + max.stream()
                                .skip(REASONS)
                                .mapToLong(ReasonCount::recipients)
                                .sum(),
                List.copyOf(largest.subList(0, Math.min(DOMAINS, largest.size()))),
                largest.stream().skip(DOMAINS).map(DomainCounts::counts).reduce(otherDomains, OutcomeCounts::plus),
                undecided);
    }

    private Rate rate() {
        if (steps.isEmpty()) {
            return Rate.NONE;
        }
        List<Long> emails = new ArrayList<>();
        for (long number = steps.firstKey(); number <= steps.lastKey(); number++) {
            emails.add(steps.getOrDefault(number, 0L));
        }
        return new Rate(Instant.ofEpochSecond(steps.firstKey() * step), Duration.ofSeconds(step), List.copyOf(emails));
    }
}
