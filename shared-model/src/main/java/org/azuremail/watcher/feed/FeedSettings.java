package org.azuremail.watcher.feed;

import static java.util.Map.entry;

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
import java.util.Optional;
import org.azuremail.content.Layout;
import org.azuremail.gallery.Gallery.MessageTemplate;
import org.azuremail.id.AsciiWord;
import org.azuremail.list.ListName;
import org.azuremail.outbound.PublicAddresses;
import org.azuremail.time.Durations;

/**
 * The settings of an admin, read from the texts in the watcher's row.
 *
 * @param title the title of a digest; for other messages the beginning of their subject, which may be empty
 * @param sendsFirst whether the entries that exist at the first read also get messages
 */
record FeedSettings(
        URI address,
        ListName list,
        PublishMode what,
        String title,
        String template,
        Duration interval,
        int day,
        int hour,
        ZoneId zone,
        int entries,
        boolean sendsFirst) {

    /** The use of entries. Rows contain the names in lower case. */
    enum PublishMode {
        /** A draft for each entry. */
        DRAFT,
        /** A message for each entry, which is sent at once. */
        MESSAGE,
        /** One message a day. */
        DAILY,
        WEEKLY,
        /** One message as soon as enough entries wait. */
        COUNT;

        boolean digest() {
            return this == DAILY || this == WEEKLY || this == COUNT;
        }
    }

    /** The most entries in a digest: each takes two rows of a batch. */
    static final int MAX_IN_DIGEST = 48;

    /**
     * The values that a form shows for settings that are not set. All except {@code what} also apply to a missing
     * setting.
     */
    static final Map<String, String> DEFAULTS = Map.ofEntries(
            entry("address", ""),
            entry("list", ""),
            entry("title", ""),
            entry("what", "draft"),
            entry("first", "mark"),
            entry("minutes", "30"),
            entry("weekday", "1"),
            entry("atHour", "8"),
            entry("zone", "UTC"),
            entry("entries", "5"),
            entry("template", Layout.LETTER.template()));

    private static final int LEAST_MINUTES = 5;
    private static final int MAX_MINUTES = 7 * 24 * 60;
    private static final int MAX_TITLE_LENGTH = 200;

    static Map<String, String> faults(Map<String, String> settings) {
        Map<String, String> faults = new LinkedHashMap<>();
        require(PublicAddresses.parse(text(settings, "address")).isPresent(), "address", "feed-address", faults);
        require(ListName.parse(text(settings, "list")).isPresent(), "list", "feed-list", faults);
        require(within(settings, "minutes", LEAST_MINUTES, MAX_MINUTES), "minutes", "feed-minutes", faults);
        require(within(settings, "weekday", 1, 7), "weekday", "feed-weekday", faults);
        require(within(settings, "atHour", 0, 23), "atHour", "feed-hour", faults);
        require(within(settings, "entries", 2, MAX_IN_DIGEST), "entries", "feed-entries", faults);
        try {
            ZoneId.of(text(settings, "zone"));
        } catch (DateTimeException e) {
            faults.put("zone", "feed-zone");
        }
        require(text(settings, "first").matches("mark|send"), "first", "feed-first", faults);
        require(MessageTemplate.name(text(settings, "template")).isPresent(), "template", "feed-template", faults);
        faultsOfWhat(settings, faults);
        return faults;
    }

    private static void require(boolean fits, String setting, String code, Map<String, String> faults) {
        if (!fits) {
            faults.put(setting, code);
        }
    }

    private static void faultsOfWhat(Map<String, String> settings, Map<String, String> faults) {
        String title = text(settings, "title");
        Optional<PublishMode> mode = what(settings);
        require(mode.isPresent(), "what", "feed-what", faults);
        if (mode.filter(PublishMode::digest).isPresent() && title.isBlank()) {
            faults.put("title", "feed-title-missing");
        } else if (title.length() > MAX_TITLE_LENGTH
                || title.codePoints().anyMatch(Character::isISOControl)
                || title.contains("{{")) {
            faults.put("title", "feed-title");
        }
    }

    private static Optional<PublishMode> what(Map<String, String> settings) {
        return AsciiWord.find(PublishMode.class, Enum::name, settings.get("what"));
    }

    private static String text(Map<String, String> settings, String name) {
        return settings.getOrDefault(name, DEFAULTS.getOrDefault(name, ""));
    }

    private static boolean within(Map<String, String> settings, String name, int least, int most) {
        return text(settings, name).matches("[0-9]{1,5}")
                && number(settings, name) >= least
                && number(settings, name) <= most;
    }

    static FeedSettings of(Map<String, String> settings) {
        return new FeedSettings(
                PublicAddresses.parse(text(settings, "address")).orElseThrow(),
                new ListName(text(settings, "list")),
                what(settings).orElseThrow(),
                text(settings, "title").strip(),
                text(settings, "template"),
                Duration.ofMinutes(number(settings, "minutes")),
                number(settings, "weekday"),
                number(settings, "atHour"),
                ZoneId.of(text(settings, "zone")),
                number(settings, "entries"),
                text(settings, "first").equals("send"));
    }

    private static int number(Map<String, String> settings, String name) {
        return Integer.parseInt(text(settings, name));
    }

    /** Groups the waiting entries, oldest first, by the messages that are due for them; the others continue to wait. */
    List<List<FeedEntries.PendingEntry>> due(List<FeedEntries.PendingEntry> waiting, Instant now) {
        List<FeedEntries.PendingEntry> ready = waiting;
        int size = 1;
        if (what == PublishMode.COUNT) {
            ready = waiting.subList(0, waiting.size() - waiting.size() % entries);
            size = entries;
        } else if (what.digest()) {
            Instant closed = lastDigest(now);
            ready = waiting.stream()
                    .filter(entry -> entry.seenAt().isBefore(closed))
                    .toList();
            size = MAX_IN_DIGEST;
        }
        List<List<FeedEntries.PendingEntry>> groups = new ArrayList<>();
        for (int from = 0; from < ready.size(); from += size) {
            groups.add(ready.subList(from, Math.min(from + size, ready.size())));
        }
        return groups;
    }

    /** Returns the time until the next turn, which is earlier if a digest is due before. */
    Duration rest(Instant now) {
        if (what != PublishMode.DAILY && what != PublishMode.WEEKLY) {
            return interval;
        }
        LocalDate next = now.atZone(zone).toLocalDate();
        while (!isDigestDay(next) || !digestOn(next).isAfter(now)) {
            next = next.plusDays(1);
        }
        Duration digest = Duration.between(now, digestOn(next));
        return Durations.min(digest, interval);
    }

    private Instant lastDigest(Instant now) {
        LocalDate last = now.atZone(zone).toLocalDate();
        while (!isDigestDay(last) || digestOn(last).isAfter(now)) {
            last = last.minusDays(1);
        }
        return digestOn(last);
    }

    private boolean isDigestDay(LocalDate date) {
        return what != PublishMode.WEEKLY || date.getDayOfWeek() == DayOfWeek.of(day);
    }

    /** Returns the instant of the day's digest, exactly one even on days when the clock skips or repeats the hour. */
    private Instant digestOn(LocalDate date) {
        return date.atTime(hour, 0).atZone(zone).toInstant();
    }
}
