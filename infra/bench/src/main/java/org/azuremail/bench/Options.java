package org.azuremail.bench;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/**
 * The options of the command line.
 *
 * @param root the checkout
 * @param cases numbers of the cases to run; empty means all
 * @param scale by which the numbers of recipients, rows and requests are multiplied
 * @param runs how many counted runs follow the one that warms up
 * @param out the file that gets the entry
 */
record Options(Path root, Set<Integer> cases, double scale, int runs, Path out) {

    private static final int FEWEST = 100;

    static final String USAGE = "usage: infra/bench/run [--cases 1,2] [--scale 0.1] [--runs 3] [--out FILE]";

    /** @param arguments the checkout first */
    static Options of(String[] arguments) {
        Path root = Path.of(arguments[0]).toAbsolutePath().normalize();
        Options options = new Options(root, Set.of(), 1, 3, root.resolve("docs/benchmarks.md"));
        for (int i = 1; i < arguments.length; i += 2) {
            if (i + 1 == arguments.length) {
                throw new IllegalArgumentException(USAGE);
            }
            options = options.with(arguments[i], arguments[i + 1]);
        }
        return options;
    }

    private Options with(String name, String value) {
        return switch (name) {
            case "--cases" -> new Options(root, numbers(value), scale, runs, out);
            case "--scale" -> new Options(root, cases, Double.parseDouble(value), runs, out);
            case "--runs" -> new Options(root, cases, scale, Integer.parseInt(value), out);
            case "--out" -> new Options(root, cases, scale, runs, Path.of(value).toAbsolutePath());
            default -> throw new IllegalArgumentException(USAGE);
        };
    }

    private static Set<Integer> numbers(String value) {
        Set<Integer> numbers = new TreeSet<>();
        for (String number : value.split(",", -1)) {
            numbers.add(Integer.valueOf(number.strip()));
        }
        return numbers;
    }

    boolean wants(int number) {
        return cases.isEmpty() || cases.contains(number);
    }

    /** A number of recipients, rows or requests at this scale. */
    int scaled(int full) {
        return Math.max(Math.min(full, FEWEST), (int) Math.round(full * scale));
    }
}
