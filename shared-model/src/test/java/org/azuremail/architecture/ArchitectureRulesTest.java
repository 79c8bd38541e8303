package org.azuremail.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.sql.Connection;
import java.time.LocalDate;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.azuremail.reason.Reason;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Configuration;

/** Checks that the rules find violations. */
class ArchitectureRulesTest {

    private static final JavaClasses BREAKING =
            new ClassFileImporter().importClasses(Reason.Code.class, TestHelper.class, TestHelper.Wordless.class);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "knows JDBC",
                "reads clocks and sleeps",
                "makes random identities",
                "proxyBeanMethods",
                "names say",
                "words of a reason",
                "reasons are codes",
                "words for each code",
                "dependencies come"
            })
    void ruleFindsAClassThatBreaksIt(String description) {
        assertThat(ArchitectureRules.all())
                .filteredOn(rule -> rule.getDescription().contains(description))
                .singleElement()
                .satisfies(rule ->
                        assertThat(rule.evaluate(BREAKING).hasViolation()).isTrue());
    }

    @Test
    void sentencesAreFoundInLambdasToo() {
        assertThat(ArchitectureRules.all())
                .filteredOn(rule -> rule.getDescription().contains("words of a reason"))
                .singleElement()
                .satisfies(rule -> assertThat(
                                rule.evaluate(BREAKING).getFailureReport().getDetails())
                        .hasSize(2));
    }

    @Test
    void clocksAreFoundWhereverTheyAreRead() {
        String clocks = ArchitectureRules.all().stream()
                .filter(rule -> rule.getDescription().contains("clocks"))
                .map(rule -> rule.evaluate(BREAKING).getFailureReport().toString())
                .findFirst()
                .orElseThrow();
        assertThat(clocks).contains("LocalDate.now", "System.currentTimeMillis", "Thread.sleep");
    }

    /** Violates the rules; it never runs. */
    @Configuration
    static class TestHelper {

        @Autowired
        private @Nullable Connection connection;

        boolean decideByASentence(Reason reason) {
            return reason.words().startsWith("the limit of ");
        }

        boolean decideInALambda(Reason reason) {
            return Stream.of("cancelled").map(Set::of).anyMatch(set -> set.contains(reason.stored()));
        }

        Reason storeASentence(RuntimeException thrown) {
            return Reason.ofText(thrown.getMessage());
        }

        enum Wordless implements Reason.Code {
            NOTHING_TO_SAY
        }

        Object breakTheRules() throws Exception {
            Thread.sleep(System.currentTimeMillis());
            return String.valueOf(connection) + LocalDate.now() + UUID.randomUUID();
        }
    }
}
