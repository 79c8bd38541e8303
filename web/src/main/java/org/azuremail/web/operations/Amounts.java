package org.azuremail.web.operations;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Duration;
import java.util.Currency;
import java.util.Locale;

/** Formats times, numbers and money so that they can be read at a glance. */
public final class Amounts {

    private static final int MINUTE = 60;
    private static final int HOUR = 60 * MINUTE;
    private static final int DAY = 24 * HOUR;

    private final Currency currency;

    Amounts(Currency currency) {
        this.currency = currency;
    }

    /**
     * Formats a time in one or two units: {@code 12 ms}, {@code 3.2 s}, {@code 7 min}, {@code 2 h 5 min},
     * {@code 3 d 4 h}.
     */
    public static String time(Duration time) {
        if (time.compareTo(Duration.ofSeconds(1)) < 0) {
            return time.toMillis() + " ms";
        }
        long seconds = time.toSeconds();
        if (seconds < MINUTE) {
            return seconds < 10 ? decimal("0.#").format(time.toMillis() / 1000.0) + " s" : seconds + " s";
        }
        if (seconds < HOUR) {
            return seconds / MINUTE + " min";
        }
        return seconds < DAY
                ? two(seconds / HOUR, "h", seconds % HOUR / MINUTE, "min")
                : two(seconds / DAY, "d", seconds % DAY / HOUR, "h");
    }

    /** Formats the time of remaining work in minutes; {@code under 1 min} for a shorter time above zero. */
    public String minutes(Duration time) {
        if (time.isZero()) {
            return "0 min";
        }
        return time.toMinutes() < 1 ? "under 1 min" : number(time.toMinutes()) + " min";
    }

    /** Returns a share from 0 to 1 in percent, rounded down, so that 100 means all of it. */
    public int percent(double share) {
        return (int) Math.floor(100 * share);
    }

    /** Formats a number with commas. */
    public String number(long number) {
        return decimal("#,##0").format(number);
    }

    /** Formats an amount with two decimal places, and one below 1 with up to four. */
    public String money(BigDecimal amount) {
        boolean small = amount.signum() > 0 && amount.compareTo(BigDecimal.ONE) < 0;
        BigDecimal rounded = amount.setScale(small ? 4 : 2, RoundingMode.HALF_UP);
        return decimal(small ? "0.00##" : "#,##0.00").format(rounded) + " " + currency.getCurrencyCode();
    }

    private static String two(long large, String largeUnit, long small, String smallUnit) {
        return large + " " + largeUnit + (small == 0 ? "" : " " + small + " " + smallUnit);
    }

    private static DecimalFormat decimal(String pattern) {
        return new DecimalFormat(pattern, DecimalFormatSymbols.getInstance(Locale.ENGLISH));
    }
}
