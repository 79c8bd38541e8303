package org.azuremail.web.plot;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * A line over time, above an axis that begins at zero. Its texts are {@code plot.<code>.title}, {@code .when} and
 * {@code .unit} in messages.properties.
 *
 * @param points the points, oldest first and at equal distances; at least one
 * @param ticks the numbers beside the grid, the largest first
 */
public record LinePlot(String code, List<Point> points, List<Long> ticks, String line, String area, String grid) {

    private static final double WIDTH = 600;
    private static final double HEIGHT = 160;
    private static final int STEPS = 4;

    /** A value, and the label of its moment or day. */
    public record Point(String label, long value) {}

    /** @throws IllegalArgumentException if no point is given */
    public static LinePlot of(String code, List<Point> points) {
        if (points.isEmpty()) {
            throw new IllegalArgumentException("a plot needs a point");
        }
        long step = step(points.stream().mapToLong(Point::value).max().orElse(0));
        long top = step * STEPS;
        String line = line(points, top);
        return new LinePlot(
                code,
                List.copyOf(points),
                IntStream.rangeClosed(0, STEPS)
                        .mapToObj(i -> (STEPS - i) * step)
                        .toList(),
                line,
                line + "L" + at(WIDTH, HEIGHT) + "L" + at(0, HEIGHT) + "Z",
                gridLines());
    }

    public String viewBox() {
        return "0 0 " + (int) WIDTH + " " + (int) HEIGHT;
    }

    /** Returns the smallest of 1, 2, 5, 10, 20, 50 … that reaches the largest value in four steps. */
    private static long step(long largest) {
        long unit = 1;
        while (true) {
            for (long factor : new long[] {1, 2, 5}) {
                if (factor * unit * STEPS >= largest) {
                    return factor * unit;
                }
            }
            unit *= 10;
        }
    }

    private static String line(List<Point> points, long top) {
        StringBuilder path = new StringBuilder();
        int last = points.size() - 1;
        for (int i = 0; i <= last; i++) {
            double y = HEIGHT - HEIGHT * points.get(i).value() / top;
            path.append(i == 0 ? 'M' : 'L').append(at(last == 0 ? 0 : WIDTH * i / last, y));
        }
        return last == 0
                ? path + "L" + at(WIDTH, HEIGHT - HEIGHT * points.get(0).value() / top)
                : path.toString();
    }

    private static String gridLines() {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i <= STEPS; i++) {
            lines.append('M').append(at(0, HEIGHT * i / STEPS)).append('L').append(at(WIDTH, HEIGHT * i / STEPS));
        }
        return lines.toString();
    }

    private static String at(double x, double y) {
        return String.format(Locale.ROOT, "%.1f %.1f", x, y);
    }
}
