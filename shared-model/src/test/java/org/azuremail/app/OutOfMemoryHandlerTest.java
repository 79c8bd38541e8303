package org.azuremail.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OutOfMemoryHandlerTest {

    /** A command that starts a JVM, or JVM options. */
    private static final Pattern COMMAND = Pattern.compile("java\"? +-|-Xmx\\d|<jvmArguments>");

    /** Files that record measurements, which contain no commands to check. */
    private static final List<String> RECORDS = List.of("benchmarks.md", "CHANGELOG.md", "node_modules");

    @Test
    void everyCommandThatWeRunOrDocumentEndsWithoutMemory() throws IOException {
        List<String> commands = new ArrayList<>();
        for (String part : List.of("README.md", "CONTRIBUTING.md", "docs", "infra", ".ci", "web/pom.xml")) {
            commands.addAll(commands(root().resolve(part)));
        }

        assertThat(commands).hasSizeGreaterThan(8).allSatisfy(command -> assertThat(command)
                .contains(OutOfMemoryHandler.OPTION));
    }

    /**
     * Programs start processes in methods, which contain the option itself or the name of a constant with the option.
     */
    @Test
    void everyProgramOfOursThatStartsAJarEndsItWithoutMemory() throws IOException {
        String programs = "";
        try (Stream<Path> files = Files.walk(root().resolve("infra"))) {
            for (Path file :
                    files.filter(one -> one.toString().endsWith(".java")).toList()) {
                programs += Files.readString(file);
            }
        }
        List<String> options = new ArrayList<>(List.of(Pattern.quote(OutOfMemoryHandler.OPTION)));
        List<MatchResult> constants = Pattern.compile("static final [\\w<>]+ (\\w+) = ([^;]*);")
                .matcher(programs)
                .results()
                .toList();
        constants.forEach(constant -> options.addAll(
                Pattern.compile(String.join("|", options))
                                .matcher(constant.group(2))
                                .find()
                        ? List.of("\\b" + constant.group(1) + "\\b")
                        : List.of()));

        assertThat(Stream.of(programs.split("\n    }\n")).filter(method -> method.contains("\"-jar\"")))
                .hasSizeGreaterThan(3)
                .allSatisfy(method -> assertThat(method).containsPattern(String.join("|", options)));
    }

    private static Path root() {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("worker-sender"))) {
            root = root.getParent();
        }
        return root;
    }

    private static List<String> commands(Path part) throws IOException {
        List<String> commands = new ArrayList<>();
        try (Stream<Path> files = Files.walk(part)) {
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(file -> RECORDS.stream().noneMatch(file.toString()::contains))
                    .filter(file -> file.toString().matches(".*(\\.md|\\.sh|/[a-z]+|\\.xml)"))
                    .toList()) {
                Files.readString(file)
                        .replace("\\\n", " ")
                        .lines()
                        .filter(line -> COMMAND.matcher(line).find())
                        .forEach(commands::add);
            }
        }
        return commands;
    }

    @Test
    void missingMemoryIsFoundWhateverItWasReportedAs() {
        OutOfMemoryError missing = new OutOfMemoryError("Java heap space");

        assertThat(OutOfMemoryHandler.isCauseOf(new IllegalStateException(new IOException(missing))))
                .isTrue();
        assertThat(OutOfMemoryHandler.isCauseOf(missing)).isTrue();
        assertThat(OutOfMemoryHandler.isCauseOf(new IllegalStateException(new StackOverflowError())))
                .isFalse();
        assertThat(OutOfMemoryHandler.isCauseOf(null)).isFalse();
    }
}
