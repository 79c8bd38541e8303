package org.azuremail.message;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.azuremail.list.ListName;
import org.azuremail.list.SegmentName;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * To whom a message goes: everybody on one or more lists, or a segment of one. Somebody who is on several of the lists gets it
 * as a subscriber of the first of them.
 *
 * @param lists in the order that counts; at least one, each once
 * @param segment of the only list
 * @param rules the segment's rules, as they were when the message began; {@code null} before
 * @param occasion of a greeting, whose day it has to be; {@code null} for every other message
 */
public record Audience(
        List<ListName> lists,
        @Nullable SegmentName segment,
        @Nullable String rules,
        @Nullable Occasion occasion) {

    /** Of each of them a part of a page is held while recipients are counted. */
    public static final int MOST_LISTS = 20;

    private static final String OCCASION = "!";
    private static final String NAMES = "ListName";
    private static final String RULES = "SegmentRules";

    public Audience {
        lists = lists.stream().distinct().toList();
        if (lists.isEmpty() || lists.size() > MOST_LISTS || (segment != null && lists.size() > 1)) {
            throw new IllegalArgumentException("a message goes to 1 to " + MOST_LISTS + " lists, or a segment of one");
        }
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

    /** The first list: the only one, mostly. */
    public ListName list() {
        return lists.get(0);
    }

    /** Those of them whose day it is, and who were not greeted yet. */
    public Audience on(@Nullable Occasion day) {
        return new Audience(lists, segment, rules, day);
    }

    /** Without the day and without the segment's rules. */
    public Audience onAnyDay() {
        return new Audience(lists, segment, null, null);
    }

    /** Returns whether both mean the same people, whatever the segment's rules are by now. */
    public boolean same(Audience other) {
        return stored().equals(other.stored());
    }

    /** Fixes the rules of the segment: from then on a change of the segment changes nothing for the message. */
    public Audience withRules(@Nullable String fixed) {
        return new Audience(lists, segment, fixed, occasion);
    }

    /**
     * Returns {@code news}, {@code news/gold} for a segment, or {@code news members} for two lists, with the occasion behind it
     * for a greeting. Versions that know only messages to one list cannot read anything but its name: they must not mail all of
     * the first list.
     */
    public String stored() {
        String names = lists.stream().map(ListName::value).collect(Collectors.joining(" "));
        String people = segment == null ? names : names + "/" + segment;
        return occasion == null ? people : people + OCCASION + occasion.stored();
    }

    /** Reads {@link #stored()} but for an occasion, which nobody types; empty when it is none. */
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
        return onAnyDay().stored().replace(" ", ", ").replace("/", " / ");
    }
}
