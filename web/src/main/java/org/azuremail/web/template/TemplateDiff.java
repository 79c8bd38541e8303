package org.azuremail.web.template;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.algorithm.myers.MyersDiffWithLinearSpace;
import java.util.List;

/** The difference between two texts, as a unified diff; in memory that grows with their length alone. */
final class TemplateDiff {

    private static final int CONTEXT = 3;

    private TemplateDiff() {}

    /** @param kind {@code added}, {@code removed}, {@code place} or {@code same} */
    record Line(String kind, String text) {}

    /** Empty when they are the same. */
    static List<Line> of(String shared, String own) {
        List<String> before = shared.lines().toList();
        List<String> after = own.lines().toList();
        return UnifiedDiffUtils.generateUnifiedDiff(
                        "shared",
                        "own",
                        before,
                        DiffUtils.diff(before, after, new MyersDiffWithLinearSpace<>(String::equals)),
                        CONTEXT)
                .stream()
                .skip(2)
                .map(line -> new Line(kind(line), line))
                .toList();
    }

    private static String kind(String line) {
        return line.startsWith("+")
                ? "added"
                : line.startsWith("-") ? "removed" : line.startsWith("@@") ? "place" : "same";
    }
}
