package org.azuremail.greeting;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.LocalDate;
import java.time.Month;
import java.time.MonthDay;
import java.util.Set;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of birthdays.
 *
 * @param leapDay the day that replaces 29 February in a common year: {@code feb-28} or {@code mar-1}
 * @param field the field of lists with the month and day for <em>Upcoming birthdays</em>
 * @param days how many days <em>Upcoming birthdays</em> shows, including today; less than a year, so that nobody
 *     appears twice
 * @param states the states of the subscribers to show; all states if empty
 */
@Validated
@ConfigurationProperties("azuremail.birthdays")
public record BirthdayProperties(
        @DefaultValue("feb-28") LeapDay leapDay,
        @DefaultValue("birthday") String field,
        @DefaultValue("3") @Min(1) @Max(365) int days,
        @DefaultValue("subscribed") Set<SubscriberState> states) {

    /** The day that replaces 29 February in a common year. */
    public enum LeapDay {
        FEB_28,
        MAR_1;

        private static final MonthDay LEAP = MonthDay.of(Month.FEBRUARY, 29);

        /** Returns whether a day of the year falls on this date. */
        public boolean fallsOn(MonthDay day, LocalDate on) {
            MonthDay kept = day.equals(LEAP) && !on.isLeapYear()
                    ? this == FEB_28 ? MonthDay.of(Month.FEBRUARY, 28) : MonthDay.of(Month.MARCH, 1)
                    : day;
            return kept.equals(MonthDay.from(on));
        }
    }
}
