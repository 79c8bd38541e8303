package org.azuremail.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that the packages and subpackages in docs/architecture.md exist. */
class PackageTableTest {

    private static final Path SOURCES = Path.of("src/main/java/org/azuremail");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z]+)` \\| (.*) \\|$");
    private static final Pattern PART = Pattern.compile("`([a-z]+)`");

    @ParameterizedTest
    @MethodSource("rows")
    void everyPackageOfTheTableExists(String name, String about) {
        assertThat(SOURCES.resolve(name)).isDirectory();
        assertThat(PART.matcher(about).results().map(part -> part.group(1)))
                .allSatisfy(
                        part -> assertThat(SOURCES.resolve(name).resolve(part)).isDirectory());
    }

    static Stream<Arguments> rows() throws IOException {
        return ROW.matcher(Files.readString(Path.of("../docs/architecture.md")))
                .results()
                .map(row -> Arguments.of(row.group(1), row.group(2)));
    }
}
