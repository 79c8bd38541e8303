package org.azuremail.web.message;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.azuremail.content.ContentBlock;
import org.azuremail.content.ContentBlock.Kind;
import org.azuremail.content.ContentBlocks;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * The blocks of a message as the block editor shows and sends them. The fields of a block are {@code block-3-kind},
 * {@code -text} (repeated for each column), {@code -address} and {@code -level}; the number is its place.
 *
 * @param removed the block that was deleted last, so that it can be put back; {@code null} if none was
 * @param removedFrom the place of that block
 * @param focus the place of the block that was just changed; -1 for none
 */
record BlockFields(List<ContentBlock> blocks, @Nullable ContentBlock removed, int removedFrom, int focus) {

    /** Present in each form with a block editor, even if it has no block. */
    static final String PRESENT = "blocks";

    private static final Pattern KIND_FIELD = Pattern.compile("block-(\\d{1,4})-kind");
    private static final Pattern COMMAND = Pattern.compile("([a-z]+)(?:-(\\d{1,4}))?(?:-([A-Z]+))?");
    private static final String REMOVED = "removed";

    static BlockFields of(List<ContentBlock> blocks) {
        return new BlockFields(blocks, null, 0, -1);
    }

    /** Returns the blocks of a form; empty if it has no block editor. */
    static Optional<BlockFields> of(MultiValueMap<String, String> sent) {
        if (!sent.containsKey(PRESENT)) {
            return Optional.empty();
        }
        List<ContentBlock> blocks = sent.keySet().stream()
                .flatMap(name -> KIND_FIELD.matcher(name).results())
                .map(found -> Integer.valueOf(found.group(1)))
                .distinct()
                .sorted(Comparator.naturalOrder())
                .limit(ContentBlocks.MAX)
                .map(place -> block("block-" + place, sent))
                .toList();
        ContentBlock removed = sent.containsKey(REMOVED + "-kind") ? block(REMOVED, sent) : null;
        return Optional.of(new BlockFields(blocks, removed, number(sent.getFirst(REMOVED + "-from"), 0), -1));
    }

    private static ContentBlock block(String name, MultiValueMap<String, String> sent) {
        Kind kind = kind(sent.getFirst(name + "-kind")).orElse(Kind.TEXT);
        List<String> parts = new ArrayList<>(sent.getOrDefault(name + "-text", List.of()));
        String address = sent.getFirst(name + "-address");
        int level = Math.max(1, Math.min(number(sent.getFirst(name + "-level"), 2), ContentBlock.MAX_LEVEL));
        return block(kind, parts, address == null ? "" : address, level);
    }

    /** Returns a block with as many parts as its kind has. Surplus parts are added to the last one. */
    private static ContentBlock block(Kind kind, List<String> parts, String address, int level) {
        int most = kind == Kind.COLUMNS ? ContentBlock.MAX_COLUMNS : 1;
        List<String> fitting = new ArrayList<>(parts.subList(0, Math.min(most, parts.size())));
        for (String surplus : parts.subList(fitting.size(), parts.size())) {
            fitting.set(most - 1, fitting.get(most - 1) + "\n\n" + surplus);
        }
        while (fitting.size() < (kind == Kind.COLUMNS ? ContentBlock.MIN_COLUMNS : 1)) {
            fitting.add("");
        }
        return new ContentBlock(kind, fitting, address, level);
    }

    private static Optional<Kind> kind(@Nullable String name) {
        return EnumSet.allOf(Kind.class).stream()
                .filter(kind -> kind.name().equals(name))
                .findFirst();
    }

    private static int number(@Nullable String text, int otherwise) {
        return text != null && text.matches("\\d{1,4}") ? Integer.parseInt(text) : otherwise;
    }

    String markdown() {
        return ContentBlocks.markdown(blocks);
    }

    /** Returns whether there is room for another block. */
    public boolean room() {
        return blocks.size() < ContentBlocks.MAX;
    }

    public Set<Kind> kinds() {
        return EnumSet.allOf(Kind.class);
    }

    /**
     * Returns the blocks after a button of the editor was clicked, or these if the button does nothing here.
     *
     * @param command {@code add-3-TEXT} for a text before block 3, or {@code up-3}, {@code down-3}, {@code copy-3},
     *     {@code delete-3}, {@code more-3} and {@code fewer-3} (columns) or {@code undo}
     */
    BlockFields after(String command) {
        Matcher words = COMMAND.matcher(command);
        if (!words.matches()) {
            return this;
        }
        int place = number(words.group(2), 0);
        List<ContentBlock> now = new ArrayList<>(blocks);
        switch (words.group(1)) {
            case "add" -> {
                Optional<Kind> kind = kind(words.group(3)).filter(known -> room() && place <= now.size());
                kind.ifPresent(chosen -> now.add(place, ContentBlock.empty(chosen)));
                return kind.isEmpty() ? this : new BlockFields(now, null, 0, place);
            }
            case "undo" -> {
                if (removed == null || !room()) {
                    return this;
                }
                int back = Math.min(removedFrom, now.size());
                now.add(back, removed);
                return new BlockFields(now, null, 0, back);
            }
            default -> {
                return place < now.size() ? changed(words.group(1), place, now) : this;
            }
        }
    }

    private BlockFields changed(String verb, int place, List<ContentBlock> now) {
        ContentBlock block = now.get(place);
        int focus = place;
        ContentBlock gone = null;
        switch (verb) {
            case "up" -> {
                focus = Math.max(0, place - 1);
                now.add(focus, now.remove(place));
            }
            case "down" -> {
                focus = Math.min(now.size() - 1, place + 1);
                now.add(focus, now.remove(place));
            }
            case "copy" -> {
                if (room()) {
                    focus = place + 1;
                    now.add(focus, block);
                }
            }
            case "delete" -> {
                gone = now.remove(place);
                focus = -1;
            }
            case "more" -> {
                List<String> parts = new ArrayList<>(block.parts());
                if (block.kind() == Kind.COLUMNS && parts.size() < ContentBlock.MAX_COLUMNS) {
                    parts.add("");
                    now.set(place, new ContentBlock(block.kind(), parts, "", block.level()));
                }
            }
            case "fewer" -> {
                List<String> parts = new ArrayList<>(block.parts());
                if (parts.size() > ContentBlock.MIN_COLUMNS) {
                    String last = parts.remove(parts.size() - 1);
                    int joined = parts.size() - 1;
                    parts.set(joined, (parts.get(joined) + "\n\n" + last).strip());
                    now.set(place, new ContentBlock(block.kind(), parts, "", block.level()));
                }
            }
            default -> {
                return this;
            }
        }
        return new BlockFields(now, gone, place, focus);
    }
}
