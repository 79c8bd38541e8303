package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.azuremail.web.PageTest;
import org.azuremail.web.security.ProblemTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.ProblemDetail;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Checks that the documentation of the API names exactly the calls that exist. */
@PageTest
class DocumentedCallsTest {

    private static final Pattern NAMED = Pattern.compile("`((?:GET|POST|PUT|PATCH|DELETE) /[^?`]*)");

    @Autowired
    @Qualifier("requestMappingHandlerMapping")
    RequestMappingHandlerMapping mapping;

    @Test
    void theDocumentationHasEveryCallAndNoOther() throws IOException {
        assertThat(named(call -> call.contains(" /api/"))).isEqualTo(calls(call -> call.contains(" /api/")));
    }

    @Test
    void everythingThatThePagesDoHasACallOrAReasonWhyNot() throws IOException {
        Predicate<String> onPages = call -> call.startsWith("POST ") && !call.contains(" /api");

        assertThat(named(onPages)).isEqualTo(calls(onPages));
    }

    @Test
    void everyCodeOfAProblemIsExplained() throws IOException {
        String text = Files.readString(documentation());

        assertThat(Stream.of(ProblemCode.values()).map(code -> "`" + code.word() + "`"))
                .allMatch(text::contains);
    }

    /** The statuses of refusals that come from filters, Spring or Tomcat. */
    @ParameterizedTest
    @ValueSource(ints = {400, 404, 405, 406, 408, 413, 415, 500, 503})
    void everyCodeOfAStatusIsExplained(int status) throws IOException {
        ProblemDetail problem = ProblemDetail.forStatus(status);
        ProblemTypes.nameByStatus(problem);

        String code =
                String.valueOf(Objects.requireNonNull(problem.getProperties()).get("code"));
        assertThat(Files.readString(documentation())).containsPattern("\\| .*`" + code + "`.* \\| " + status + " \\|");
    }

    private static Set<String> named(Predicate<String> which) throws IOException {
        Set<String> named = new TreeSet<>();
        Matcher calls = NAMED.matcher(Files.readString(documentation()));
        while (calls.find()) {
            named.add(calls.group(1).strip());
        }
        named.removeIf(which.negate());
        return named;
    }

    private static Path documentation() {
        return Path.of("..", "docs", "api.md");
    }

    private Set<String> calls(Predicate<String> which) {
        Set<String> calls = new TreeSet<>();
        mapping.getHandlerMethods().keySet().forEach(info -> info.getMethodsCondition()
                .getMethods()
                .forEach(method -> info.getPatternValues().forEach(path -> calls.add(method + " " + path))));
        calls.removeIf(which.negate());
        return calls;
    }
}
