package org.azuremail.watcher.feed;

import java.net.URI;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.azuremail.content.Layout;
import org.azuremail.gallery.Gallery.MessageTemplate;
import org.azuremail.id.AsciiWord;
import org.azuremail.list.ListName;

/**
 * The settings of an admin, read from the texts that the watcher's row holds.
 *
 * @param title of a digest; of other messages what their subject begins with, perhaps empty
 * @param sendsFirst whether the entries that are there at the first reading get messages, too
 */
record FeedSettings(
        URI address,
        ListName list,
        What what,
        String title,
        String template,
        Duration interval,
        int day,
        int hour,
        ZoneId zone,
        int entries,
        boolean sendsFirst) {

    /** The use of entries; rows hold the names in lower case. */
    enum What {
        /** A draft for each. */
        DRAFT,
        /** A message for each, which is sent at once. */
        MESSAGE,
        /** One message a day. */
        DAILY,
        WEEKLY,
        /** One message as soon as there are so many. */
        COUNT;

        boolean digest() {
            return this == DAILY || this == WEEKLY || this == COUNT;
        }
    }

    /** An entry takes two rows of a batch. */
    static final int MOST_IN_DIGEST = 48;

    private static final int LEAST_MINUTES = 5;
    private static final int MOST_MINUTES = 7 * 24 * 60;
    private static final int LONGEST_TITLE = 200;

    static Map<String, String> faults(Map<String, String> settings) {
        Map<String, String> faults = new LinkedHashMap<>();
        if (PublicAddresses.parse(settings.getOrDefault("address", "")).isEmpty()) {
            faults.put("address", "feed-address");
        }
        if (ListName.parse(settings.getOrDefault("list", "")).isEmpty()) {
            faults.put("list", "feed-list");
        }
        if (outside(settings, "minutes", 30, LEAST_MINUTES, MOST_MINUTES)) {
            faults.put("minutes", "feed-minutes");
        }
        if (outside(settings, "weekday", 1, 1, 7)) {
            faults.put("weekday", "feed-weekday");
        }
        if (outside(settings, "atHour", 8, 0, 23)) {
            faults.put("atHour", "feed-hour");
        }
        if (outside(settings, "entries", 5, 2, MOST_IN_DIGEST)) {
            faults.put("entries", "feed-entries");
        }
        try {
            ZoneId.of(settings.getOrDefault("zone", "UTC"));
        } catch (DateTimeException e) {
            faults.put("zone", "feed-zone");
        }
        if (MessageTemplate.name(settings.getOrDefault("template", Layout.LETTER.template()))
                .isEmpty()) {
            faults.put("template", "feed-template");
        }
        faultsOfWhat(settings, faults);
        return faults;
    }

    private static void faultsOfWhat(Map<String, String> settings, Map<String, String> faults) {
        String title = settings.getOrDefault("title", "");
        What what = null;
        try {
            what = what(settings);
        } catch (IllegalArgumentException e) {
            faults.put("what", "feed-what");
        }
        if (what != null && what.digest() && title.isBlank()) {
            faults.put("title", "feed-title-missing");
        } else if (title.length() > LONGEST_TITLE
                || title.codePoints().anyMatch(Character::isISOControl)
                || title.contains("{{")) {
            faults.put("title", "feed-title");
        }
    }

    private static What what(Map<String, String> settings) {
        return AsciiWord.find(What.class, Enum::name, settings.get("what")).orElseThrow(IllegalArgumentException::new);
    }

    private static boolean outside(Map<String, String> settings, String name, int missing, int least, int most) {
        String text = settings.getOrDefault(name, String.valueOf(missing));
        return !text.matches("[0-9]{1,5}") || Integer.parseInt(text) < least || Integer.parseInt(text) > most;
    }

    static FeedSettings of(Map<String, String> settings) {
        return new FeedSettings(
                PublicAddresses.parse(settings.getOrDefault("address", "")).orElseThrow(),
                new ListName(settings.getOrDefault("list", "")),
                what(settings),
                settings.getOrDefault("title", "").strip(),
                settings.getOrDefault("template", Layout.LETTER.template()),
                Duration.ofMinutes(number(settings, "minutes", 30)),
                number(settings, "weekday", 1),
                number(settings, "atHour", 8),
                ZoneId.of(settings.getOrDefault("zone", "UTC")),
                number(settings, "entries", 5),
                settings.getOrDefault("first", "mark").equals("send"));
    }

    private static int number(Map<String, String> settings, String name, int missing) {
        return Integer.parseInt(settings.getOrDefault(name, String.valueOf(missing)));
    }

    /** The waiting entries, oldest first, by the messages that they belong in now; the others wait on. */
    List<List<FeedEntries.Waiting>> due(List<FeedEntries.Waiting> waiting, Instant now) {
        List<FeedEntries.Waiting> ready = waiting;
        int size = 1;
        if (what == What.COUNT) {
            ready = waiting.subList(0, waiting.size() - waiting.size() % entries);
            size = entries;
        } else if (what.digest()) {
            Instant closed = lastDigest(now);
            ready = waiting.stream()
                    .filter(entry -> entry.seenAt().isBefore(closed))
                    .toList();
            size = MOST_IN_DIGEST;
        }
        List<List<FeedEntries.Waiting>> groups = new ArrayList<>();
        for (int from = 0; from < ready.size(); from += size) {
            groups.add(ready.subList(from, Math.min(from + size, ready.size())));
        }
        return groups;
    }

    /** Returns the time until the next turn: a digest comes at its hour. */
    Duration rest(Instant now) {
        if (what != What.DAILY && what != What.WEEKLY) {
            return interval;
        }
        LocalDate next = now.atZone(zone).toLocalDate();
        while (!isDigestDay(next) || !digestOn(next).isAfter(now)) {
            next = next.plusDays(1);
        }
        Duration digest = Duration.between(now, digestOn(next));
        return digest.compareTo(interval) < 0 ? digest : interval;
    }

    private Instant lastDigest(Instant now) {
        LocalDate last = now.atZone(zone).toLocalDate();
        while (!isDigestDay(last) || digestOn(last).isAfter(now)) {
            last = last.minusDays(1);
        }
        return digestOn(last);
    }

    private boolean isDigestDay(LocalDate date) {
        return what != What.WEEKLY || date.getDayOfWeek() == DayOfWeek.of(day);
    }

    /** One instant a day, also when the clock skips the hour or shows it twice. */
    private Instant digestOn(LocalDate date) {
        return date.atTime(hour, 0).atZone(zone).toInstant();
    }
}
