package org.azuremail.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The table in docs/scenarios.md names tests that exist, and leaves no scenario and no defect out. */
class ScenariosTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| ((?:E-|Defect |Limitation |K|L-|P-|Q-?|A)\\d+) \\|[^|]+\\|(.*)\\|$");
    private static final Pattern NAMED = Pattern.compile("`(\\w+)\\.(\\w+)`");

    @ParameterizedTest
    @MethodSource("rows")
    void everyNamedTestExists(String id, List<MatchResult> tests) throws IOException {
        assertThat(tests).as("tests of " + id).isNotEmpty();
        for (MatchResult test : tests) {
            assertThat(source(test.group(1)))
                    .as(id + " is shown by " + test.group())
                    .containsPattern(
                            "(?:@Test|@ParameterizedTest)(?s:(?!\\n    }\\n).)*?\\bvoid " + test.group(2) + "\\(");
        }
    }

    @Test
    void noScenarioAndNoDefectIsLeftOut() throws IOException {
        Stream<String> scenarios = IntStream.rangeClosed(1, 29).mapToObj(n -> "E-" + n);
        Stream<String> defects = IntStream.rangeClosed(1, 20).mapToObj(n -> "Defect " + n);

        assertThat(table().keySet())
                .containsAll(Stream.concat(scenarios, defects).toList());
    }

    static Stream<Arguments> rows() throws IOException {
        return table().entrySet().stream().map(row -> Arguments.of(row.getKey(), row.getValue()));
    }

    private static Map<String, List<MatchResult>> table() throws IOException {
        String all = Files.readString(ROOT.resolve("docs/scenarios.md"));
        Map<String, List<MatchResult>> table = new TreeMap<>();
        ROW.matcher(all)
                .results()
                .forEach(row -> table.put(
                        row.group(1), NAMED.matcher(row.group(2)).results().toList()));
        return table;
    }

    /** Everything that is written in classes of this name, in whatever module. */
    private static String source(String test) throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path tests : modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                for (Path file : filesOf(tests, test + ".java")) {
                    all.append(Files.readString(file));
                }
            }
        }
        return all.toString();
    }

    private static List<Path> filesOf(Path tests, String name) throws IOException {
        try (Stream<Path> files = Files.walk(tests)) {
            return files.filter(file -> file.endsWith(name)).toList();
        }
    }
}
