package org.azuremail.greeting;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of birthdays.
 *
 * @param leapDay on which day a common year keeps 29 February: {@code feb-28} or {@code mar-1}
 * @param field the field of lists with the month and day that <em>Upcoming birthdays</em> looks at
 * @param days how many days <em>Upcoming birthdays</em> shows, today included
 */
@ConfigurationProperties("azuremail.birthdays")
public record BirthdayProperties(
        @DefaultValue("feb-28") LeapDay leapDay,
        @DefaultValue("birthday") String field,
        @DefaultValue("3") int days) {

    public BirthdayProperties {
        if (days < 1 || days > 366) {
            throw new IllegalArgumentException("azuremail.birthdays.days is 1 to 366, not " + days);
        }
    }
}
