package org.azuremail.message;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.azuremail.list.ListName;
import org.azuremail.list.SegmentName;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * The people to whom a message is addressed: everyone on one or more lists, or a segment of one list. A person who is
 * on several of the lists gets the message as a subscriber of the first of them.
 *
 * @param lists in order of precedence; at least one, each once
 * @param segment a segment of the only list
 * @param rules the segment's rules, as they were when the message began; {@code null} before
 * @param occasion of a greeting, to people whose day it is; {@code null} for every other message
 */
public record Audience(
        List<ListName> lists,
        @Nullable SegmentName segment,
        @Nullable String rules,
        @Nullable Occasion occasion) {

    /** The most lists of an audience. While recipients are counted, part of a page of each list is in memory. */
    public static final int MAX_LISTS = 20;

    private static final String OCCASION = "!";
    private static final String NAMES = "ListName";
    private static final String RULES = "SegmentRules";

    public Audience {
        lists = lists.stream().distinct().toList();
        Assert.isTrue(
                !lists.isEmpty() && lists.size() <= (segment == null ? MAX_LISTS : 1),
                "a message goes to 1 to " + MAX_LISTS + " lists, or a segment of one");
    }

    public static Audience of(ListName list) {
        return new Audience(List.of(list), null, null, null);
    }

    public static Audience of(List<ListName> lists) {
        return new Audience(lists, null, null, null);
    }

    public static Audience of(ListName list, @Nullable SegmentName segment) {
        return new Audience(List.of(list), segment, null, null);
    }

    /** Returns the first list, which is usually the only one. */
    public ListName list() {
        return lists.get(0);
    }

    /** Returns the same audience, limited to people whose day it is and who were not greeted yet. */
    public Audience on(@Nullable Occasion day) {
        return new Audience(lists, segment, rules, day);
    }

    /** Returns the same audience without the occasion and without the segment's rules. */
    public Audience withoutOccasion() {
        return new Audience(lists, segment, null, null);
    }

    /** Returns whether both name the same people, regardless of the segment's rules. */
    public boolean hasSamePeople(Audience other) {
        return stored().equals(other.stored());
    }

    /** Fixes the rules of the segment, so that a later change of the segment does not affect the message. */
    public Audience withRules(@Nullable String fixed) {
        return new Audience(lists, segment, fixed, occasion);
    }

    /**
     * Returns {@code news}, {@code news/gold} for a segment, or {@code news members} for two lists, followed by the
     * occasion for a greeting. Versions that only know messages to one list cannot read anything but a list's name, so
     * that they do not email the whole first list.
     */
    public String stored() {
        String names = lists.stream().map(ListName::value).collect(Collectors.joining(" "));
        String people = segment == null ? names : names + "/" + segment;
        return occasion == null ? people : people + OCCASION + occasion.stored();
    }

    /** Reads {@link #stored()} without an occasion, which cannot be typed; empty when the text is invalid. */
    public static Optional<Audience> parse(String stored) {
        try {
            String[] parts = stored.strip().split("/", 2);
            List<ListName> lists =
                    Arrays.stream(parts[0].split(" +")).map(ListName::new).toList();
            return Optional.of(new Audience(lists, parts.length == 1 ? null : new SegmentName(parts[1]), null, null));
        } catch (IllegalArgumentException none) {
            return Optional.empty();
        }
    }

    static Audience from(Values v) {
        String stored = v.requireString(NAMES);
        String[] parts = stored.split(OCCASION, 2);
        Occasion occasion = parts.length == 1 ? null : Occasion.parse(parts[1]).orElse(null);
        return parse(occasion == null ? stored : parts[0])
                .orElseThrow(() -> new IllegalArgumentException("no audience " + stored))
                .withRules(v.string(RULES))
                .on(occasion);
    }

    void into(Values.Builder v) {
        v.put(NAMES, stored()).put(RULES, rules);
    }

    @Override
    public String toString() {
        return withoutOccasion().stored().replace(" ", ", ").replace("/", " / ");
    }
}
