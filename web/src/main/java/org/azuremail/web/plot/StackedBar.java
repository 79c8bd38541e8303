package org.azuremail.web.plot;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parts of a whole in one bar, with a legend that has the numbers. The text of a part is {@code bar.<code>} in
 * messages.properties, its colour the style {@code part-<code>}.
 */
public record StackedBar(List<Part> parts) {

    /** The least width of a part that is not empty, however small its share is; in percent of the bar. */
    private static final double LEAST = 0.5;

    /**
     * @param href the page that lists this part, if there is one
     * @param start in percent of the bar, as is the width
     */
    public record Part(String code, long value, @Nullable String href, double start, double width) {}

    /** A part before it is known how wide it is. */
    public record Share(String code, long value, @Nullable String href) {}

    /** @param whole what all parts would add up to; the bar stays empty behind those that are known */
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
