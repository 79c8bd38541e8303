package org.azuremail.operations;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.azuremail.operations.LastHour.Count;
import org.azuremail.operations.ProcessReport.Calls;
import org.azuremail.time.Durations;

/** Adds up the storage calls of all instances, and projects them to a month. */
final class CallSums {

    /** The period to which counts are projected. */
    private static final Duration MONTH = Duration.ofDays(30);

    /** The age below which a process is too young to project its counts to a month. */
    private static final Duration TOO_YOUNG = Duration.ofMinutes(10);

    private static final Comparator<Overview.Calls> MAX_FIRST = Comparator.comparingLong(Overview.Calls::lately)
            .thenComparingLong(Overview.Calls::total)
            .reversed()
            .thenComparing(Overview.Calls::store)
            .thenComparing(Overview.Calls::what);

    private final Collection<ProcessReport> reports;
    private final BigDecimal pricePerMillion;
    private final boolean projectable;

    CallSums(Collection<ProcessReport> reports, BigDecimal pricePerMillion) {
        this.reports = reports;
        this.pricePerMillion = pricePerMillion;
        this.projectable = reports.stream().anyMatch(report -> report.span().compareTo(TOO_YOUNG) >= 0);
    }

    List<Overview.Calls> byOperation() {
        return by(Calls::operation).toList();
    }

    List<Overview.Calls> byName() {
        return by(Calls::name).sorted(MAX_FIRST).toList();
    }

    Overview.Calls all() {
        Sum sum = new Sum("", "");
        reports.forEach(report -> report.calls().values().forEach(count -> sum.add(count, report.span())));
        return sum.calls();
    }

    Overview.Calls emptyReceives() {
        Sum sum = new Sum("queue", "receive");
        reports.forEach(report -> report.places()
                .keySet()
                .forEach(queue -> sum.add(report.work(queue, ProcessReport.EMPTY), report.span())));
        return sum.calls();
    }

    private Stream<Overview.Calls> by(Function<Calls, String> what) {
        Map<String, Sum> sums = new TreeMap<>();
        reports.forEach(report -> report.calls().forEach((calls, count) -> {
            String shown = what.apply(calls);
            sums.computeIfAbsent(calls.store() + "/" + shown, key -> new Sum(calls.store(), shown))
                    .add(count, report.span());
        }));
        return sums.values().stream().map(Sum::calls);
    }

    /** Returns the price of this number of transactions, rounded to a ten-thousandth. */
    static BigDecimal cost(long transactions, BigDecimal pricePerMillion) {
        return pricePerMillion
                .multiply(BigDecimal.valueOf(transactions))
                .movePointLeft(6)
                .setScale(4, RoundingMode.HALF_UP);
    }

    private final class Sum {

        private final String store;
        private final String what;
        private long lately;
        private long total;
        private double month;

        Sum(String store, String what) {
            this.store = store;
            this.what = what;
        }

        void add(Count count, Duration span) {
            lately += count.lately();
            total += count.total();
            Duration longEnough = Durations.max(span, TOO_YOUNG);
            month += (double) count.lately() * MONTH.toSeconds() / longEnough.toSeconds();
        }

        Overview.Calls calls() {
            Long projected = projectable ? Math.round(month) : null;
            BigDecimal cost = projected == null ? null : cost(projected, pricePerMillion);
            return new Overview.Calls(store, what, lately, total, projected, cost);
        }
    }
}
