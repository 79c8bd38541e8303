package org.azuremail.limit;

/**
 * The largest number of emails to one provider in any second, minute, hour and day. All four limits apply at the same
 * time.
 *
 * @param perSecond 0 means no limit, as in the other periods
 */
public record Limits(int perSecond, int perMinute, int perHour, int perDay) {

    public static final Limits NONE = new Limits(0, 0, 0, 0);

    /** The highest limit that can be set. It is more than any provider accepts. */
    public static final int HIGHEST = 100_000_000;

    public Limits {
        if (perSecond < 0 || perMinute < 0 || perHour < 0 || perDay < 0) {
            throw new IllegalArgumentException("a limit is not negative");
        }
    }

    public static Limits perSecond(int mails) {
        return new Limits(mails, 0, 0, 0);
    }

    public boolean none() {
        return equals(NONE);
    }

    int of(Period period) {
        return switch (period) {
            case MINUTE -> perMinute;
            case HOUR -> perHour;
            case DAY -> perDay;
        };
    }
}
