package org.azuremail.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that the tables in docs/scenarios.md contain every id of the specification, and name tests that exist. */
class ScenariosTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| ([A-Z][a-z]*[ -]?\\d+) \\| [^|]+ \\|(?: (.*) \\|)?$");

    /** The number of ids of each kind in the specification. */
    private static final Map<String, Integer> IDS = Map.ofEntries(
            Map.entry("E-", 29),
            Map.entry("Defect ", 20),
            Map.entry("Limitation ", 36),
            Map.entry("A", 74),
            Map.entry("B", 10),
            Map.entry("B-", 5),
            Map.entry("G", 7),
            Map.entry("G-", 3),
            Map.entry("K", 24),
            Map.entry("L-", 14),
            Map.entry("O", 18),
            Map.entry("O-", 15),
            Map.entry("P-", 7),
            Map.entry("Q", 20),
            Map.entry("Q-", 10),
            Map.entry("R", 16));

    private static final Map<String, String> SOURCES = sources();
    private static final Pattern NAMED = Pattern.compile("`(\\w+)\\.(\\w+)`");

    @ParameterizedTest
    @MethodSource("rows")
    void everyNamedTestExists(String id, List<MatchResult> tests) {
        assertThat(tests).as("tests of " + id).isNotEmpty();
        for (MatchResult test : tests) {
            assertThat(SOURCES.getOrDefault(test.group(1), ""))
                    .as(id + " is shown by " + test.group())
                    .containsPattern(
                            "(?:@Test|@ParameterizedTest)(?s:(?!\\n    }\\n).)*?\\bvoid " + test.group(2) + "\\(");
        }
    }

    @Test
    void everyIdOfTheSpecificationStandsInOneTableOnce() throws IOException {
        List<String> ids = IDS.entrySet().stream()
                .flatMap(kind -> IntStream.rangeClosed(1, kind.getValue()).mapToObj(n -> kind.getKey() + n))
                .toList();

        assertThat(ROW.matcher(page()).results().map(row -> row.group(1)).toList())
                .containsExactlyInAnyOrderElementsOf(ids);
    }

    /** The row of an id with a test belongs among those that are shown. */
    @Test
    void noTestIsNamedAfterAnIdThatIsNotShownYet() throws IOException {
        List<String> missing = ROW.matcher(after("## Not yet"))
                .results()
                .map(row -> row.group(1))
                .toList();
        String all = String.join("", SOURCES.values());

        assertThat(missing).allSatisfy(id -> assertThat(named(id).matcher(all).find())
                .as("a test is named after %s, which docs/scenarios.md says is not shown yet", id)
                .isFalse());
    }

    /**
     * Returns a pattern that finds the id in the display name of a test, or at the beginning of a method name, alone or
     * after another id. If Q1 and Q-1 would be the same name, only display names count.
     */
    private static Pattern named(String id) {
        String sentence = "@DisplayName\\([^)]*\\b" + id + "\\b";
        String kind = id.replaceAll("\\d", "");
        boolean ambiguous = IDS.containsKey(kind + "-") || IDS.containsKey(kind.replace("-", "")) && kind.endsWith("-");
        String name = id.replaceAll("[ -]", "").toLowerCase(Locale.ROOT);
        return Pattern.compile(ambiguous ? sentence : "\\bvoid (?:\\w+\\d_)?" + name + "_|" + sentence);
    }

    /** The page answers a newcomer's questions with the product's classes and packages. */
    @Test
    void everyPlaceThatTheArchitectureNamesExists() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/architecture.md"));
        String where = page.substring(page.indexOf("| Question |"), page.indexOf("## A message's way"));
        List<String> names = Pattern.compile("`((?:\\w+\\.)*\\w+)`")
                .matcher(where)
                .results()
                .map(match -> match.group(1).replaceAll("\\.[a-z]\\w*$", ""))
                .filter(name -> !name.contains("messages"))
                .toList();
        List<String> sources;
        try (Stream<Path> files = Files.walk(ROOT)) {
            sources = files.map(file -> file.toString().replace('\\', '/'))
                    .filter(file -> file.contains("/src/") && file.contains("/java/org/azuremail/"))
                    .toList();
        }
        assertThat(names).hasSizeGreaterThan(20);
        assertThat(names).allSatisfy(name -> assertThat(sources)
                .anyMatch(file -> file.endsWith("/" + name.replace('.', '/') + ".java")
                        || file.endsWith("/org/azuremail/" + name.replace('.', '/'))));
    }

    static Stream<Arguments> rows() throws IOException {
        String shown = page().substring(0, page().indexOf("## Not for a test"));
        return ROW.matcher(shown)
                .results()
                .map(row -> Arguments.of(
                        row.group(1), NAMED.matcher(row.group(2)).results().toList()));
    }

    private static String page() throws IOException {
        return Files.readString(ROOT.resolve("docs/scenarios.md"));
    }

    private static String after(String heading) throws IOException {
        return page().substring(page().indexOf(heading));
    }

    /**
     * Returns the text of each test class of all modules by its name; texts of classes with the same name are joined.
     */
    private static Map<String, String> sources() {
        try (Stream<Path> modules = Files.list(ROOT)) {
            return modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .flatMap(ScenariosTest::classes)
                    .collect(Collectors.toMap(
                            file -> file.getFileName().toString().replace(".java", ""),
                            ScenariosTest::text,
                            String::concat));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> classes(Path tests) {
        try (Stream<Path> files = Files.walk(tests)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
