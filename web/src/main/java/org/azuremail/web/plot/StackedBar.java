package org.azuremail.web.plot;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a whole in one bar, with a legend of their numbers. The text of a part is {@code bar.<code>} in
 * messages.properties, and its colour is the style {@code part-<code>}.
 */
public record StackedBar(List<Part> parts) {

    /** The minimum width of a part that is not empty, in percent of the bar. */
    private static final double LEAST = 0.5;

    /**
     * A part of the bar.
     *
     * @param href the page that lists this part; {@code null} if none exists
     * @param start the position of its left edge in percent of the bar
     * @param width its width in percent of the bar
     */
    public record Part(String code, long value, @Nullable String href, double start, double width) {}

    /** A part whose position and width are not yet calculated. */
    public record Share(String code, long value, @Nullable String href) {}

    /** @param whole the total of all parts; the bar stays empty behind the parts that are known */
    public static StackedBar of(long whole, List<Share> shares) {
        List<Part> parts = new ArrayList<>();
        double start = 0;
        for (Share share : shares) {
            double width = share.value == 0 || whole <= 0
                    ? 0
                    : Math.min(100 - start, Math.max(LEAST, 100.0 * share.value / whole));
            parts.add(new Part(share.code, share.value, share.href, start, width));
            start += width;
        }
        return new StackedBar(List.copyOf(parts));
    }
}
