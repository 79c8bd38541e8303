package org.azuremail.greeting;

import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.azuremail.message.MessageRef;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Values;

/**
 * A day of a greeting. Its row is written before its message, so there is only one message a day.
 *
 * @param from the first of the days for which people are greeted; {@code day} is the last
 * @param message to these people
 * @param done whether the message was created, or cannot be
 * @param reason why it cannot be created; none otherwise
 */
public record GreetingRun(LocalDate day, LocalDate from, MessageRef message, boolean done, Reason reason) {

    private static final int BEHIND_ALL_DAYS = 100_000_000;

    /** The newest comes first. */
    static String key(LocalDate day) {
        int number = Integer.parseInt(day.format(DateTimeFormatter.BASIC_ISO_DATE));
        return String.format(Locale.ROOT, "%08d", BEHIND_ALL_DAYS - number);
    }

    static GreetingRun of(Values v) {
        return new GreetingRun(
                LocalDate.parse(v.requireString("Day")),
                LocalDate.parse(v.requireString("From")),
                new MessageRef(v.number("MessageRef", 0)),
                v.bool("Done", false),
                Reason.read(v.string("Reason")));
    }

    GreetingRun ended(Reason why) {
        return new GreetingRun(day, from, message, true, why);
    }

    Values values() {
        return Values.builder()
                .put("Day", day.toString())
                .put("From", from.toString())
                .put("MessageRef", message.value())
                .put("Done", done)
                .put("Reason", reason.stored())
                .build();
    }
}
