package org.azuremail.web.growth;

import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.azuremail.list.MailingList;
import org.azuremail.subscription.Growth;
import org.azuremail.subscription.Growth.GrowthDay;
import org.azuremail.web.plot.LinePlot;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Plots the growth of 90 days with a point for each day, or of 12 months with a point for each week. */
@Component
public record GrowthPlots(Growth growth) {

    private static final String YEAR = "year";
    private static final int DAYS = 90;
    private static final int DAYS_OF_A_YEAR = 365;
    private static final int WEEK = 7;
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM yyyy", Locale.ENGLISH);

    /**
     * A plot with its totals.
     *
     * @param year whether the plot shows 12 months
     * @param joined the number of subscriptions in this time, without today
     * @param left the number of people who left in this time
     */
    public record Shown(LinePlot plot, boolean year, long joined, long left) {}

    /** Plots all lists together, until yesterday; empty while no line can be drawn. Costs two reads. */
    public Optional<Shown> ofAll(@Nullable String range) {
        return shown(growth.ofAll(days(range)), range);
    }

    /** Plots a list, including today. Costs two reads. */
    public Optional<Shown> of(MailingList list, long subscribedNow, @Nullable String range) {
        List<GrowthDay> days = new ArrayList<>(growth.of(list, days(range)));
        days.add(new GrowthDay(growth.today(), subscribedNow, 0, 0));
        return shown(days, range);
    }

    private static int days(@Nullable String range) {
        return YEAR.equals(range) ? DAYS_OF_A_YEAR : DAYS;
    }

    private static Optional<Shown> shown(List<GrowthDay> days, @Nullable String range) {
        if (days.size() < 2 || days.stream().allMatch(day -> day.subscribed() == 0)) {
            return Optional.empty();
        }
        boolean year = YEAR.equals(range);
        int step = year && days.size() > DAYS ? WEEK : 1;
        int first = (days.size() - 1) % step;
        List<LinePlot.Point> points = IntStream.iterate(first, i -> i < days.size(), i -> i + step)
                .mapToObj(days::get)
                .map(day -> new LinePlot.Point(DAY.format(day.day()), day.subscribed()))
                .toList();
        return Optional.of(new Shown(
                LinePlot.of("growth", points),
                year,
                days.stream().mapToLong(GrowthDay::joined).sum(),
                days.stream().mapToLong(GrowthDay::left).sum()));
    }
}
