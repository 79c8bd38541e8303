package org.azuremail.reason;

import static java.util.Map.entry;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the sentences that versions before reason codes stored. No other class may parse a sentence. A sentence that
 * decides nothing is kept unchanged.
 */
final class LegacySentences {

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

    private record Form(Pattern pattern, Function<MatchResult, Reason> reader) {

        static Form of(String pattern, Function<MatchResult, Reason> reader) {
            return new Form(Pattern.compile(pattern), reader);
        }

        Optional<Reason> read(String sentence) {
            Matcher found = pattern.matcher(sentence);
            return found.matches() ? Optional.of(reader.apply(found)) : Optional.empty();
        }
    }

    private static final List<Form> FORMS = List.of(
            Form.of("(?s)" + UNPREPARED + "(.*)", found -> Reason.of(ReasonCode.UNPREPARED, found.group(1))),
            Form.of(
                    "(?s)(.+?) is left alone until ([^:]+:\\d\\d:\\d\\d) UTC: (.*)",
                    found -> Reason.of(
                            ReasonCode.LEFT_ALONE,
                            found.group(1),
                            moment(found.group(2)),
                            Reason.read(found.group(3)))),
            Form.of(
                    "the limit of (.+) is reached: (\\d{1,9}) mails a second",
                    found -> Reason.of(ReasonCode.RATE_SECOND, found.group(1), Long.valueOf(found.group(2)))),
            Form.of("import (\\S+)", found -> Reason.of(ReasonCode.IMPORT, found.group(1))),
            Form.of(
                    "from (.+?)(?: on (\\S+) to (.*?)(?: on (\\S*))?)?",
                    found -> found.group(2) == null
                            ? Reason.of(ReasonCode.MOVED_FROM, found.group(1))
                            : Reason.of(
                                    ReasonCode.MOVED_FROM_TO,
                                    found.group(1),
                                    found.group(2),
                                    found.group(3),
                                    String.valueOf(found.group(4)))),
            Form.of(
                    "the limit of (.+) is reached: (\\d{1,9}) mails an? (minute|(?:hour|day)(?=.*; goes on))"
                            + "(?:, of which (\\d{1,9}) are kept)?(?:; goes on at (.+) UTC)?",
                    LegacySentences::window));

    private static final Set<ReasonCode> STILL_WRITTEN =
            EnumSet.of(ReasonCode.UNPREPARED, ReasonCode.IMPORT, ReasonCode.MOVED_FROM);

    private LegacySentences() {}

    static Reason read(String sentence) {
        ReasonCode whole = WHOLE.get(sentence);
        try {
            return whole != null
                    ? Reason.of(whole)
                    : FORMS.stream()
                            .flatMap(form -> form.read(sentence).stream())
                            .findFirst()
                            .orElseGet(() -> Reason.ofText(sentence));
        } catch (DateTimeException noMoment) {
            return Reason.ofText(sentence);
        }
    }

    private static Reason window(MatchResult window) {
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

    /**
     * Returns the sentence to store for a reason. A process of the previous version may run at the same time and
     * decides by these sentences. The next version may store codes.
     */
    static Optional<String> findLegacyForm(Reason reason) {
        String start =
                reason.is(ReasonCode.UNPREPARED) ? UNPREPARED : reason.is(ReasonCode.IMPORT) ? "import " : "from ";
        return reason.is(ReasonCode.MOVED_FROM_TO)
                ? Optional.of(start + reason.text(0) + " on " + reason.text(1) + " to " + reason.text(2) + " on "
                        + reason.text(3))
                : STILL_WRITTEN.stream().anyMatch(reason::is) ? Optional.of(start + reason.text(0)) : Optional.empty();
    }
}
