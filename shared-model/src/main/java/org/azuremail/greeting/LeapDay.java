package org.azuremail.greeting;

import java.time.LocalDate;
import java.time.Month;
import java.time.MonthDay;

/** The day that replaces 29 February in a common year. */
public enum LeapDay {
    FEB_28,
    MAR_1;

    private static final MonthDay LEAP = MonthDay.of(Month.FEBRUARY, 29);

    /** Returns whether a day of the calendar is this day of the year. */
    public boolean falls(MonthDay day, LocalDate on) {
        MonthDay kept = day.equals(LEAP) && !on.isLeapYear()
                ? this == FEB_28 ? MonthDay.of(Month.FEBRUARY, 28) : MonthDay.of(Month.MARCH, 1)
                : day;
        return kept.equals(MonthDay.from(on));
    }
}
