package org.azuremail.reason;

import static java.util.Map.entry;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the sentences that versions before reason codes stored. No other class may parse a sentence. A sentence that
 * decides nothing is kept unchanged.
 */
final class LegacySentences {

    private static final Pattern LEFT_ALONE =
            Pattern.compile("(.+?) is left alone until ([^:]+:\\d\\d:\\d\\d) UTC: (.*)", Pattern.DOTALL);

    private static final Pattern SECOND = Pattern.compile("the limit of (.+) is reached: (\\d{1,9}) mails a second");

    private static final Pattern WINDOW =
            Pattern.compile("the limit of (.+) is reached: (\\d{1,9}) mails an? (minute|hour|day)"
                    + "(?:, of which (\\d{1,9}) are kept)?(?:; goes on at (.+) UTC)?");

    private static final Pattern MOVED = Pattern.compile("from (.+?)(?: on (\\S+) to (.*?)(?: on (\\S*))?)?");
    private static final Pattern IMPORT = Pattern.compile("import (\\S+)");

    private static final DateTimeFormatter MOMENT =
            DateTimeFormatter.ofPattern("d MMM yyyy, HH:mm[:ss]", Locale.ENGLISH);

    private static final String UNPREPARED = "the mail could not be prepared: ";

    private static final Map<String, ReasonCode> WHOLE = Map.ofEntries(
            entry(
                    "the storage was restored from a backup: nobody knows whether this mail went out after that was made",
                    ReasonCode.STORAGE_RESTORED),
            entry("the sender stopped while handing this mail over", ReasonCode.SENDER_STOPPED),
            entry("the provider asked to try later", ReasonCode.PUT_OFF),
            entry("cancelled", ReasonCode.CANCELLED),
            entry("subscribed again right after unsubscribing", ReasonCode.CAME_BACK),
            entry("no confirmed subscribers", ReasonCode.NO_SUBSCRIBERS),
            entry("its body is missing", ReasonCode.NO_BODY));

    private LegacySentences() {}

    static Reason read(String sentence) {
        ReasonCode whole = WHOLE.get(sentence);
        if (whole != null) {
            return Reason.of(whole);
        }
        if (sentence.startsWith(UNPREPARED)) {
            return Reason.of(ReasonCode.UNPREPARED, sentence.substring(UNPREPARED.length()));
        }
        try {
            return parse(sentence).orElseGet(() -> Reason.ofText(sentence));
        } catch (DateTimeException noMoment) {
            return Reason.ofText(sentence);
        }
    }

    private static Optional<Reason> parse(String sentence) {
        Matcher alone = LEFT_ALONE.matcher(sentence);
        if (alone.matches()) {
            return Optional.of(Reason.of(
                    ReasonCode.LEFT_ALONE, alone.group(1), moment(alone.group(2)), Reason.read(alone.group(3))));
        }
        Matcher second = SECOND.matcher(sentence);
        if (second.matches()) {
            return Optional.of(Reason.of(ReasonCode.RATE_SECOND, second.group(1), Long.valueOf(second.group(2))));
        }
        Matcher imported = IMPORT.matcher(sentence);
        if (imported.matches()) {
            return Optional.of(Reason.of(ReasonCode.IMPORT, imported.group(1)));
        }
        Matcher moved = MOVED.matcher(sentence);
        if (moved.matches()) {
            return Optional.of(
                    moved.group(2) == null
                            ? Reason.of(ReasonCode.MOVED_FROM, moved.group(1))
                            : Reason.of(
                                    ReasonCode.MOVED_FROM_TO,
                                    moved.group(1),
                                    moved.group(2),
                                    moved.group(3),
                                    String.valueOf(moved.group(4))));
        }
        Matcher window = WINDOW.matcher(sentence);
        return window.matches() && (window.group(5) != null || window.group(3).equals("minute"))
                ? Optional.of(window(window))
                : Optional.empty();
    }

    private static Reason window(Matcher window) {
        ReasonCode code = ReasonCode.valueOf("RATE_" + window.group(3).toUpperCase(Locale.ROOT));
        long kept = window.group(4) == null ? 0 : Long.parseLong(window.group(4));
        Long limit = Long.valueOf(window.group(2));
        return window.group(5) == null
                ? Reason.of(code, window.group(1), limit, kept)
                : Reason.of(code, window.group(1), limit, kept, moment(window.group(5)));
    }

    private static Object moment(String text) {
        return LocalDateTime.parse(text, MOMENT).toInstant(ZoneOffset.UTC);
    }

    private static final Set<ReasonCode> STILL_WRITTEN =
            EnumSet.of(ReasonCode.UNPREPARED, ReasonCode.IMPORT, ReasonCode.MOVED_FROM, ReasonCode.MOVED_FROM_TO);

    /**
     * Returns the sentence to store for a reason. A process of the previous version may run at the same time and
     * decides by these sentences. The next version may store codes.
     */
    static Optional<String> findLegacyForm(Reason reason) {
        return STILL_WRITTEN.stream().anyMatch(reason::is) ? Optional.of(sentence(reason)) : Optional.empty();
    }

    private static String sentence(Reason reason) {
        if (reason.is(ReasonCode.UNPREPARED)) {
            return UNPREPARED + reason.text(0);
        }
        String begin = (reason.is(ReasonCode.IMPORT) ? "import " : "from ") + reason.text(0);
        return reason.is(ReasonCode.MOVED_FROM_TO)
                ? begin + " on " + reason.text(1) + " to " + reason.text(2) + " on " + reason.text(3)
                : begin;
    }
}
