package org.azuremail.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.azuremail.storage.Storage;
import org.junit.jupiter.api.Test;

/** Checks that a copy contains what {@code docs/storage-keys.md} lists. */
class CatalogueTest {

    private static final Pattern NAME = Pattern.compile("`([a-z0-9-]+)`");

    @Test
    void catalogueNamesWhatTheDocumentationNames() throws IOException {
        String keys = Files.readString(Path.of("../docs/storage-keys.md"));
        String tables = between(keys, "\n## Tables", "\n## Queues");
        Set<String> headings = new TreeSet<>();
        tables.lines().filter(line -> line.startsWith("### ")).forEach(line -> names(line, headings));
        assertThat(headings).isEqualTo(new TreeSet<>(Catalogue.TABLES));
        assertThat(firstColumn(between(keys, "\n## Queues", "\n## Containers")))
                .isEqualTo(new TreeSet<>(Catalogue.QUEUES));
        assertThat(firstColumn(between(keys, "\n## Containers", "\n## Inside")))
                .isEqualTo(new TreeSet<>(Catalogue.CONTAINERS));
    }

    @Test
    void partitionsAndClassesOfAQueueBelongToTheProductButSimilarNamesDoNot() {
        Storage.Inventory all = new Storage.Inventory(
                new TreeSet<>(Set.of("message", "messages")),
                new TreeSet<>(Set.of(
                        "azuremailqueue",
                        "azuremailqueue-p12",
                        "azuremailqueue-low-p2",
                        "azuremailtestqueue-low",
                        "azuremailtestqueue-px",
                        "queue-p1")),
                new TreeSet<>(Set.of("azuremailimports", "insights-logs")));
        assertThat(Catalogue.ours(all))
                .isEqualTo(new Storage.Inventory(
                        new TreeSet<>(Set.of("message")),
                        new TreeSet<>(Set.of("azuremailqueue", "azuremailqueue-p12", "azuremailqueue-low-p2")),
                        new TreeSet<>(Set.of("azuremailimports"))));
        assertThat(Catalogue.unknown(all))
                .containsExactly(
                        "azuremailtestqueue-low", "azuremailtestqueue-px", "insights-logs", "messages", "queue-p1");
    }

    private static Set<String> firstColumn(String section) {
        Set<String> names = new TreeSet<>();
        section.lines()
                .filter(line -> line.startsWith("| `"))
                .forEach(line -> names(line.substring(0, line.indexOf('|', 1)), names));
        return names;
    }

    private static void names(String line, Set<String> names) {
        Matcher matcher = NAME.matcher(line);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
    }

    private static String between(String text, String begin, String end) {
        return text.substring(text.indexOf(begin), text.indexOf(end));
    }
}
