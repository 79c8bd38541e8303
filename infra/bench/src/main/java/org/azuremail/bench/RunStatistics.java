package org.azuremail.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The minimum, median and maximum of the counted runs. */
record RunStatistics(double min, double median, double max) {

    static <T> RunStatistics of(List<T> runs, ToDoubleFunction<T> figure) {
        double[] sorted = runs.stream().mapToDouble(figure).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("no run counted");
        }
        return new RunStatistics(sorted[0], quantile(sorted, 0.5), sorted[sorted.length - 1]);
    }

    /** Returns a quantile of sorted values, interpolated between two values if necessary. */
    static double quantile(double[] sorted, double share) {
        double place = share * (sorted.length - 1);
        int below = (int) Math.floor(place);
        int above = (int) Math.ceil(place);
        return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
    }

    static String text(double[] sorted, double... shares) {
        return Arrays.stream(shares)
                .mapToObj(share -> number(quantile(sorted, share)))
                .collect(Collectors.joining(" / "));
    }

    /** Returns the times in milliseconds, sorted. */
    static double[] sorted(long[] nanos) {
        double[] millis = Arrays.stream(nanos).mapToDouble(n -> n / 1e6).toArray();
        Arrays.sort(millis);
        return millis;
    }

    /** Returns the three values, rounded to a sensible number of digits. */
    String text() {
        return number(min) + " / **" + number(median) + "** / " + number(max);
    }

    static String number(double value) {
        String format = value >= 100 ? "%,.0f" : value >= 10 ? "%.1f" : value >= 1 ? "%.2f" : "%.4f";
        return String.format(Locale.ROOT, format, value);
    }
}
