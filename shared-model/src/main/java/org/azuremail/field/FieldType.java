package org.azuremail.field;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.Month;
import java.time.MonthDay;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.format.TextStyle;
import java.time.temporal.TemporalQuery;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The type of a field's values. Its name is stored with lists, and its {@link #code()} with every indexed subscriber: neither
 * may ever change its meaning, nor the {@link #sortable} form, of which index rows are made.
 */
public enum FieldType {
    TEXT('t', FieldReason.FIELD_LONG) {
        @Override
        Optional<String> stored(String typed) {
            return Optional.of(typed);
        }

        @Override
        String sortableOf(String stored) {
            return folded(stored);
        }
    },
    NUMBER('n', FieldReason.FIELD_NOT_A_NUMBER) {
        @Override
        Optional<String> stored(String typed) {
            return NUMBERS.matcher(typed).matches()
                    ? Optional.of(new BigDecimal(typed).stripTrailingZeros().toPlainString())
                    : Optional.empty();
        }

        /** Returns the number in millionths above the smallest one, with leading zeros. */
        @Override
        String sortableOf(String stored) {
            BigInteger millionths = new BigDecimal(stored).movePointRight(6).toBigInteger();
            String digits = millionths.add(BigInteger.TEN.pow(21)).toString();
            return "0".repeat(22 - digits.length()) + digits;
        }
    },
    YES_NO('y', FieldReason.FIELD_NOT_YES_OR_NO) {
        @Override
        Optional<String> stored(String typed) {
            return switch (typed.toLowerCase(Locale.ROOT)) {
                case "yes", "true", "y", "1" -> Optional.of("yes");
                case "no", "false", "n", "0" -> Optional.of("no");
                default -> Optional.empty();
            };
        }
    },
    /** Stored as ISO 8601 has it. */
    DATE('d', FieldReason.FIELD_NOT_A_DATE) {
        @Override
        Optional<String> stored(String typed) {
            return date(typed).map(LocalDate::toString);
        }

        @Override
        public String shown(String stored, Locale locale) {
            return date(stored)
                    .map(DateTimeFormatter.ofPattern("d MMMM uuuu", locale)::format)
                    .orElse(stored);
        }

        @Override
        Optional<String> beginningOf(String typed) {
            return PART_OF_A_DATE.matcher(typed).matches() ? Optional.of(typed) : super.beginningOf(typed);
        }
    },
    /**
     * Stored as a day of the year 2000, which had a 29 February; that year is never shown, and a year that is typed is not
     * kept.
     */
    MONTH_DAY('m', FieldReason.FIELD_NOT_A_MONTH_AND_DAY) {
        @Override
        Optional<String> stored(String typed) {
            return monthDay(typed).map(day -> day.atYear(LEAP_YEAR).toString());
        }

        @Override
        String sortableOf(String stored) {
            return stored.substring("2000-".length());
        }

        @Override
        public String plain(String stored) {
            return stored(stored).map(this::sortableOf).orElse(stored);
        }

        @Override
        public String shown(String stored, Locale locale) {
            return monthDay(stored)
                    .map(DateTimeFormatter.ofPattern("d MMMM", locale)::format)
                    .orElse(stored);
        }

        /** A day, or a whole month by its name or number. */
        @Override
        Optional<String> beginningOf(String typed) {
            return Stream.of(Month.values())
                    .filter(month -> isNameOf(month, typed))
                    .map(month -> String.format(Locale.ROOT, "%02d-", month.getValue()))
                    .findFirst()
                    .or(() -> super.beginningOf(typed));
        }
    },
    /** One of the field's options. */
    CHOICE('c', FieldReason.FIELD_NOT_AN_OPTION) {
        @Override
        Optional<String> stored(String typed) {
            return Optional.of(typed);
        }

        @Override
        String sortableOf(String stored) {
            return folded(stored);
        }
    };

    private static final int LEAP_YEAR = 2000;

    /** The longest text of which an index row is made, in characters; texts that begin alike up to there are not sorted. */
    private static final int LONGEST_SORTABLE = 60;

    private static final Pattern NUMBERS = Pattern.compile("[+-]?[0-9]{1,15}(?:\\.[0-9]{1,6})?");
    private static final Pattern PART_OF_A_DATE = Pattern.compile("[0-9]{4}(?:-[0-9]{2})?");

    private static final DateTimeFormatter[] DATES =
            formats("uuuu-MM-dd", "d.M.uuuu", "d MMMM uuuu", "d MMM uuuu", "MMMM d, uuuu", "MMM d, uuuu");
    private static final DateTimeFormatter[] MONTHS_AND_DAYS =
            formats("--MM-dd", "MM-dd", "d.M.", "d.M", "d MMMM", "d MMM", "MMMM d", "MMM d");

    private final char code;
    private final FieldReason refusal;

    FieldType(char code, FieldReason refusal) {
        this.code = code;
        this.refusal = refusal;
    }

    /** The word in the API. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<FieldType> parse(String word) {
        return Stream.of(values())
                .filter(type -> type.word().equalsIgnoreCase(word.strip()))
                .findFirst();
    }

    /** Stands for the type beside every indexed subscriber. */
    public char code() {
        return code;
    }

    /** The type with this code; empty for one that only a later version knows. */
    public static Optional<FieldType> ofCode(char code) {
        return Stream.of(values()).filter(type -> type.code == code).findFirst();
    }

    FieldReason refusal() {
        return refusal;
    }

    /** The form that rows hold; empty when it is no such value. Whether it is an option of a choice only the field knows. */
    abstract Optional<String> stored(String typed);

    /** Sorts as people sort the values; empty when the value does not fit the type, so that nothing is indexed. */
    public final Optional<String> sortable(String value) {
        return value.isBlank() ? Optional.empty() : stored(value.strip()).map(this::sortableOf);
    }

    /**
     * Returns the beginning that the sortable forms of all matches of a search share; empty when no value of the type begins
     * so.
     */
    public final Optional<String> beginning(String typed) {
        return beginningOf(typed.strip());
    }

    Optional<String> beginningOf(String typed) {
        return sortable(typed);
    }

    String sortableOf(String stored) {
        return stored;
    }

    /** For programs: what a file or a call holds and may bring back. */
    public String plain(String stored) {
        return stored;
    }

    /** For people. A value that does not fit the type is shown as it is. */
    public String shown(String stored, Locale locale) {
        return stored;
    }

    /** The day that a value of the type names; empty when it names none. */
    public static Optional<MonthDay> monthDay(String value) {
        return parsed(value.strip(), MONTHS_AND_DAYS, MonthDay::from)
                .or(() -> date(value).map(MonthDay::from));
    }

    private static Optional<LocalDate> date(String typed) {
        return parsed(typed.strip(), DATES, LocalDate::from).filter(day -> day.getYear() > 0 && day.getYear() <= 9999);
    }

    private static <T> Optional<T> parsed(String typed, DateTimeFormatter[] formats, TemporalQuery<T> reader) {
        return Stream.of(formats)
                .flatMap(format -> parsed(typed, format, reader))
                .findFirst();
    }

    private static <T> Stream<T> parsed(String typed, DateTimeFormatter format, TemporalQuery<T> reader) {
        try {
            return Stream.of(format.parse(typed, reader));
        } catch (DateTimeException another) {
            return Stream.empty();
        }
    }

    private static DateTimeFormatter[] formats(String... patterns) {
        return Stream.of(patterns)
                .map(pattern -> new DateTimeFormatterBuilder()
                        .parseCaseInsensitive()
                        .appendPattern(pattern)
                        .toFormatter(Locale.ENGLISH)
                        .withResolverStyle(ResolverStyle.STRICT))
                .toArray(DateTimeFormatter[]::new);
    }

    private static boolean isNameOf(Month month, String typed) {
        return typed.equalsIgnoreCase(month.getDisplayName(TextStyle.FULL, Locale.ENGLISH))
                || typed.equalsIgnoreCase(month.getDisplayName(TextStyle.SHORT, Locale.ENGLISH))
                || typed.matches("0?" + month.getValue());
    }

    private static String folded(String text) {
        String folded = text.strip().toLowerCase(Locale.ROOT).replaceAll("\\s+", " ");
        int length = folded.codePointCount(0, folded.length());
        return length <= LONGEST_SORTABLE
                ? folded
                : folded.substring(0, folded.offsetByCodePoints(0, LONGEST_SORTABLE));
    }
}
