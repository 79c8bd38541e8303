package org.azuremail.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that the patches which remove guards fit the sources and compile. Otherwise, the long proof would fail long
 * after the change that broke them. Belongs to web because web sees all modules.
 */
class GuardPatchesTest {

    private static final Path ROOT = Path.of("..");

    @TempDir
    private Path classes;

    /** A source file without a guard. */
    private static final class PatchedFile extends SimpleJavaFileObject {

        private final String source;

        PatchedFile(Path patch, String file, String source) {
            super(URI.create("patched:/" + patch.getFileName() + "/" + file), Kind.SOURCE);
            this.source = source;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
        }
    }

    static List<Path> patches() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("infra/prove/guards"))) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("patches")
    void everyPatchFitsItsSources(Path patch) throws IOException {
        assertThat(patched(patch)).isNotEmpty();
    }

    @Test
    void theSourcesCompileWithoutAnyOfTheGuards() throws IOException {
        List<Path> left = new ArrayList<>(patches());
        while (!left.isEmpty()) {
            Map<String, PatchedFile> together = new LinkedHashMap<>();
            for (Path patch : List.copyOf(left)) {
                Map<String, PatchedFile> files = patched(patch);
                if (files.keySet().stream().noneMatch(together::containsKey)) {
                    together.putAll(files);
                    left.remove(patch);
                }
            }
            assertThat(errors(together.values())).isEmpty();
        }
    }

    private static Map<String, PatchedFile> patched(Path patch) throws IOException {
        String[] files = Files.readString(patch).split("(?m)^--- a/.*\\n\\+\\+\\+ b/");
        Map<String, PatchedFile> patched = new LinkedHashMap<>();
        for (String file : List.of(files).subList(1, files.length)) {
            String[] hunks = file.split("(?m)\\n@@ .*$");
            String name = hunks[0].strip();
            String source = Files.readString(ROOT.resolve(name));
            assertThat(hunks).hasSizeGreaterThan(1);
            for (String hunk : List.of(hunks).subList(1, hunks.length)) {
                assertThat(source).contains(lines(hunk, "-"));
                source = source.replace(lines(hunk, "-"), lines(hunk, "+"));
            }
            patched.put(name, new PatchedFile(patch, name, source));
        }
        return patched;
    }

    /** Returns the lines of a hunk that begin with a space or this sign. */
    private static String lines(String hunk, String sign) {
        return hunk.lines()
                .filter(line -> line.startsWith(" ") || line.startsWith(sign))
                .map(line -> line.substring(1))
                .collect(Collectors.joining("\n"));
    }

    private List<String> errors(Iterable<PatchedFile> files) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        List<String> options =
                List.of("-proc:none", "-d", classes.toString(), "-classpath", System.getProperty("java.class.path"));
        compiler.getTask(null, null, diagnostics, options, null, files).call();
        return diagnostics.getDiagnostics().stream()
                .filter(found -> found.getKind() == Diagnostic.Kind.ERROR)
                .map(Object::toString)
                .toList();
    }
}
