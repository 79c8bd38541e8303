package org.azuremail.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The rules for the product's classes that a module sees. Each module lists the packages that it must see. */
public interface ArchitectureContract {

    JavaClasses CLASSES = ArchitectureRules.product();

    /** Returns packages that would be missing if the rules read the wrong class path. */
    List<String> packagesToSee();

    /** Returns the least percentage of types that are package-private. */
    int minPackagePrivatePercentage();

    @TestFactory
    default Stream<DynamicTest> boundariesAreKept() {
        return ArchitectureRules.all().stream()
                .map(rule -> DynamicTest.dynamicTest(rule.getDescription(), () -> rule.check(CLASSES)));
    }

    @Test
    default void everyPartIsSeenAndNoTest() {
        assertThat(CLASSES).extracting(JavaClass::getPackageName).containsAll(packagesToSee());
        assertThat(CLASSES).extracting(JavaClass::getName).noneMatch(name -> name.contains("Simulated"));
    }

    @Test
    default void enoughTypesAreSeenInTheirOwnPackageOnly() {
        List<JavaClass> types = CLASSES.stream()
                .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                .toList();
        long hidden = types.stream()
                .filter(type -> !type.getModifiers().contains(JavaModifier.PUBLIC))
                .count();
        assertThat(100 * hidden / types.size())
                .as("percentage of package-private types: " + hidden + " of " + types.size())
                .isGreaterThanOrEqualTo(minPackagePrivatePercentage());
    }

    /** Azure's libraries bring Netty by default, in another version than Spring Boot's. */
    @Test
    default void nettyIsNotOnThePath() {
        ClassLoader loader = getClass().getClassLoader();
        assertThat(loader.getResource("com/azure/core/http/netty/NettyAsyncHttpClientBuilder.class"))
                .isNull();
        assertThat(loader.getResource("io/netty/channel/Channel.class")).isNull();
    }
}
