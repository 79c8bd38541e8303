package org.azuremail.web.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.azuremail.template.SharedTemplates.TemplateProperties;
import org.azuremail.time.ManualTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ui.ExtendedModelMap;

/**
 * B2, B5, B8, B10: tests what all blocks have in common with a third block, which consists of a class and a template.
 */
class BlocksTest {

    @TempDir
    Path directory;

    private final ThirdBlock third = new ThirdBlock(List.of("pear", "fig", "<b>apple"));

    private Blocks blocks(@Nullable Path templates, String... hidden) {
        return new Blocks(
                List.of(third),
                new BlockProperties(List.of("third", "unknown"), List.of(hidden), 2),
                new TemplateProperties(templates),
                new ManualTime());
    }

    private static List<String> words(Optional<Blocks.Shown> shown) {
        return shown.orElseThrow().items().stream()
                .map(item -> item.getOrDefault("word", ""))
                .toList();
    }

    @Test
    void b10_aThirdBlockIsSortedByAnyFieldDescendingUnlessAscendingIsAskedFor() {
        Blocks blocks = blocks(null);
        assertThat(words(blocks.show("third", null, true, 10))).containsExactly("pear", "fig", "<b>apple");
        assertThat(words(blocks.show("third", "word", false, 10))).containsExactly("<b>apple", "fig", "pear");
        assertThat(words(blocks.show("third", "length", true, 2))).containsExactly("<b>apple", "pear");
        assertThat(blocks.show("third", "colour", true, 10)).isEmpty();
        assertThat(blocks.show("unknown", null, true, 10)).isEmpty();
    }

    /** The items of a page are limited, because each may cost a read. */
    @Test
    void aPageShowsAHundredItems() {
        ThirdBlock many = new ThirdBlock(
                IntStream.range(0, 150).mapToObj(i -> "word%03d".formatted(i)).toList());
        Blocks blocks = new Blocks(
                List.of(many),
                new BlockProperties(List.of(), List.of(), 2),
                new TemplateProperties(null),
                new ManualTime());
        ExtendedModelMap model = new ExtendedModelMap();
        new BlockPages(blocks).one("third", "word", "ascending", model);
        assertThat(model.getAttribute("block"))
                .isInstanceOfSatisfying(Blocks.Shown.class, shown -> assertThat(shown.items())
                        .hasSize(100)
                        .first()
                        .isEqualTo(many.find(Instant.EPOCH, 1, false).get(0).values()));
        assertThat(model.getAttribute("shown")).isEqualTo(100);
    }

    @Test
    void b5_valuesAreEscapedAndTheTemplateIsReplacedWithoutARestart() throws Exception {
        Blocks blocks = blocks(directory);
        assertThat(blocks.show("third", null, false, 1).orElseThrow().html())
                .isEqualToIgnoringNewLines("<li title=\"&quot;&lt;b&gt;apple&quot;\">&lt;b&gt;apple</li>");
        Files.writeString(directory.resolve("block-third.html"), "<p>{{word}} {{colour|no colour}}</p>");
        assertThat(blocks.show("third", null, true, 1).orElseThrow().html()).isEqualTo("<p>pear no colour</p>");
        Files.writeString(directory.resolve("block-third.html"), "x".repeat(30_000));
        assertThat(blocks.show("third", null, true, 1).orElseThrow().html()).contains("<li title=");
    }

    @Test
    void b5_theDisplayIsSwitchedOffAndProgramsStillGetTheItems() {
        assertThat(blocks(null).onDashboard()).singleElement().satisfies(shown -> assertThat(shown.items())
                .hasSize(2));
        Blocks hidden = blocks(null, "third");
        assertThat(hidden.onDashboard()).isEmpty();
        assertThat(hidden.show("third", null, true, 10).orElseThrow().html()).isNull();
        assertThat(words(hidden.show("third", null, true, 10))).hasSize(3);
    }
}
