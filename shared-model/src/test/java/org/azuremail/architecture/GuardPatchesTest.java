package org.azuremail.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that the patches which remove guards fit the sources. Otherwise, the long proof would fail long after the
 * change that broke them.
 */
class GuardPatchesTest {

    private static final Path ROOT = Path.of("..");

    static List<Path> patches() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("infra/prove/guards"))) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("patches")
    void everyPatchFitsItsSources(Path patch) throws IOException {
        String[] files = Files.readString(patch).split("(?m)^--- a/.*\\n\\+\\+\\+ b/");
        assertThat(files).hasSizeGreaterThan(1);
        for (String file : List.of(files).subList(1, files.length)) {
            String[] hunks = file.split("(?m)\\n@@ .*$");
            String source = Files.readString(ROOT.resolve(hunks[0].strip()));
            assertThat(List.of(hunks).subList(1, hunks.length)).isNotEmpty().allSatisfy(hunk -> assertThat(source)
                    .contains(before(hunk)));
        }
    }

    /** Returns the lines that a hunk expects to find. */
    private static String before(String hunk) {
        return hunk.lines()
                .filter(line -> line.startsWith(" ") || line.startsWith("-"))
                .map(line -> line.substring(1))
                .collect(Collectors.joining("\n"));
    }
}
