package org.azuremail.web.block;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.azuremail.content.Escaping;
import org.azuremail.content.Template;
import org.azuremail.template.SharedTemplates.TemplateProperties;
import org.azuremail.time.Time;
import org.azuremail.web.block.Block.Item;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.stereotype.Component;
import org.springframework.util.StringUtils;

/**
 * Searches and sorts the items of all blocks, and renders each item with the block's template. A file
 * {@code block-<name>.html} in the directory of templates replaces the template; it is read at each request. Values are
 * escaped as HTML, wherever they occur.
 */
@Component
@EnableConfigurationProperties(BlockProperties.class)
public final class Blocks {

    /** The most items of one answer, and the most items that are sorted by a field other than the default. */
    public static final int MAX = 500;

    private static final Logger LOG = LoggerFactory.getLogger(Blocks.class);
    private static final long MAX_BYTES = 20_000;

    private final Map<String, Block> blocks;
    private final BlockProperties settings;
    private final @Nullable Path directory;
    private final Time time;

    Blocks(List<Block> blocks, BlockProperties settings, TemplateProperties templates, Time time) {
        this.blocks = blocks.stream().collect(Collectors.toMap(Block::name, Function.identity()));
        this.settings = settings;
        this.directory = templates.directory();
        this.time = time;
    }

    /**
     * The items of a block.
     *
     * @param sort the field by which the items are sorted
     * @param html the rendered items; {@code null} for a hidden block
     */
    public record Shown(
            String name,
            List<String> fields,
            String sort,
            boolean descending,
            List<Map<String, String>> items,
            @Nullable String html) {

        /** Returns readable words for the name of a block or field that messages.properties has no text for. */
        public String words(String name) {
            return StringUtils.capitalize(name.replace('-', ' ').replace('_', ' '));
        }
    }

    /** Returns the blocks of the dashboard in the order of the settings, without blocks that find nothing. */
    public List<Shown> onDashboard() {
        return settings.dashboard().stream()
                .flatMap(name -> Optional.ofNullable(blocks.get(name)).stream())
                .flatMap(block -> show(block.name(), null, block.largestFirst(), settings.most()).stream())
                .filter(shown -> shown.html() != null && !shown.items().isEmpty())
                .toList();
    }

    /**
     * Returns the items that a block finds; empty when the block or the field does not exist.
     *
     * @param sort a field; {@code null} for the default field
     */
    public Optional<Shown> show(String name, @Nullable String sort, boolean descending, int max) {
        Block block = blocks.get(name);
        if (block == null) {
            return Optional.empty();
        }
        List<String> fields = block.fields();
        String usual = fields.get(0);
        String by = sort == null || sort.isBlank() ? usual : sort;
        if (!fields.contains(by)) {
            return Optional.empty();
        }
        int wanted = by.equals(usual) ? max : MAX;
        Comparator<Item> order = Comparator.comparing(item -> item.sortable(by));
        List<Map<String, String>> items = block.find(time.instant(), wanted, descending).stream()
                .sorted(descending ? order.reversed() : order)
                .limit(max)
                .map(Item::values)
                .toList();
        return Optional.of(new Shown(name, fields, by, descending, items, html(name, items)));
    }

    private @Nullable String html(String name, List<Map<String, String>> items) {
        if (settings.hidden().contains(name)) {
            return null;
        }
        Template template = Template.parseHtml(template(name));
        StringBuilder html = new StringBuilder();
        items.forEach(item -> template.mergeInto(html, item, Escaping.HTML));
        return html.toString();
    }

    private String template(String name) {
        Path file = directory == null ? null : directory.resolve("block-" + name + ".html");
        try {
            if (file != null && Files.isReadable(file) && Files.size(file) <= MAX_BYTES) {
                return Files.readString(file);
            }
        } catch (IOException unreadable) {
            LOG.warn("The template {} is not used: {}", file, unreadable.toString());
        }
        try (InputStream own = Objects.requireNonNull(Block.class.getResourceAsStream(name + ".html"), name)) {
            return new String(own.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
