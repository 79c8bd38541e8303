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
import org.azuremail.field.Field.FieldReason;
import org.azuremail.id.AsciiWord;

/**
 * The type of a field's values. Lists store its name, every indexed subscriber its {@link #code()}, and index rows the
 * {@link #sortable} form, so none of these may ever change.
 */
public enum FieldType {
    TEXT('t', FieldReason.FIELD_LONG),
    NUMBER('n', FieldReason.FIELD_NOT_A_NUMBER),
    YES_NO('y', FieldReason.FIELD_NOT_YES_OR_NO),
    DATE('d', FieldReason.FIELD_NOT_A_DATE),
    /**
     * A month and a day, stored as a day of the year 2000, which had a 29 February. That year is never shown, and a
     * typed year is discarded.
     */
    MONTH_DAY('m', FieldReason.FIELD_NOT_A_MONTH_AND_DAY),
    CHOICE('c', FieldReason.FIELD_NOT_AN_OPTION);

    private static final int LEAP_YEAR = 2000;

    /** The most characters of a text in an index row; texts with the same beginning are not sorted any further. */
    private static final int MAX_SORTABLE_LENGTH = 60;

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

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<FieldType> parse(String word) {
        return AsciiWord.find(FieldType.class, FieldType::word, word);
    }

    /** Returns the code of the type in the mark of every indexed subscriber. */
    public char code() {
        return code;
    }

    /** Returns the type with this code; empty for a type of a later version. */
    public static Optional<FieldType> ofCode(char code) {
        return Stream.of(values()).filter(type -> type.code == code).findFirst();
    }

    FieldReason refusal() {
        return refusal;
    }

    /** Returns the form in rows; empty if the value does not fit. Only the field checks the options of a choice. */
    Optional<String> stored(String typed) {
        return switch (this) {
            case TEXT, CHOICE -> Optional.of(typed);
            case NUMBER -> number(typed).map(value -> value.stripTrailingZeros().toPlainString());
            case YES_NO -> yesOrNo(typed.toLowerCase(Locale.ROOT));
            case DATE -> date(typed).map(LocalDate::toString);
            case MONTH_DAY -> monthDay(typed).map(day -> day.atYear(LEAP_YEAR).toString());
        };
    }

    private static Optional<BigDecimal> number(String typed) {
        return NUMBERS.matcher(typed).matches() ? Optional.of(new BigDecimal(typed)) : Optional.empty();
    }

    private static Optional<String> yesOrNo(String typed) {
        return switch (typed) {
            case "yes", "true", "y", "1" -> Optional.of("yes");
            case "no", "false", "n", "0" -> Optional.of("no");
            default -> Optional.empty();
        };
    }

    /** Returns a form that sorts as people sort the values; empty if the value does not fit, so it is not indexed. */
    public Optional<String> sortable(String value) {
        return value.isBlank() ? Optional.empty() : stored(value.strip()).map(this::sortableOf);
    }

    private String sortableOf(String stored) {
        return switch (this) {
            case TEXT, CHOICE -> folded(stored);
            case NUMBER -> millionths(stored);
            case MONTH_DAY -> stored.substring("2000-".length());
            case YES_NO, DATE -> stored;
        };
    }

    /** Returns a number in millionths above the smallest one, with leading zeros. */
    private static String millionths(String stored) {
        BigInteger millionths = new BigDecimal(stored).movePointRight(6).toBigInteger();
        String digits = millionths.add(BigInteger.TEN.pow(21)).toString();
        return "0".repeat(22 - digits.length()) + digits;
    }

    /**
     * Returns the common beginning of the sortable forms of all values that match a search; empty if no value of the
     * type can match.
     */
    public Optional<String> searchPrefix(String typed) {
        String start = typed.strip();
        return switch (this) {
            case DATE -> PART_OF_A_DATE.matcher(start).matches() ? Optional.of(start) : sortable(start);
            case MONTH_DAY -> month(start).or(() -> sortable(start));
            default -> sortable(start);
        };
    }

    /** Returns the beginning for a whole month, typed as a name or a number. */
    private static Optional<String> month(String typed) {
        return Stream.of(Month.values())
                .filter(month -> isNameOf(month, typed))
                .map(month -> String.format(Locale.ROOT, "%02d-", month.getValue()))
                .findFirst();
    }

    /** Returns the form in files and the API, which also accept it. */
    public String plain(String stored) {
        return this == MONTH_DAY ? sortable(stored).orElse(stored) : stored;
    }

    /** Returns the form for people. A value that does not fit the type is shown unchanged. */
    public String shown(String stored, Locale locale) {
        return switch (this) {
            case DATE ->
                date(stored)
                        .map(DateTimeFormatter.ofPattern("d MMMM uuuu", locale)::format)
                        .orElse(stored);
            case MONTH_DAY ->
                monthDay(stored)
                        .map(DateTimeFormatter.ofPattern("d MMMM", locale)::format)
                        .orElse(stored);
            default -> stored;
        };
    }

    /** Returns the day of the year that a value denotes; empty if it denotes none. */
    public static Optional<MonthDay> monthDay(String value) {
        return parsed(value.strip(), MONTHS_AND_DAYS, MonthDay::from)
                .or(() -> date(value).map(MonthDay::from));
    }

    private static Optional<LocalDate> date(String typed) {
        return parsed(typed.strip(), DATES, LocalDate::from).filter(day -> day.getYear() > 0 && day.getYear() <= 9999);
    }

    private static <T> Optional<T> parsed(String typed, DateTimeFormatter[] formats, TemporalQuery<T> reader) {
        for (DateTimeFormatter format : formats) {
            try {
                return Optional.of(format.parse(typed, reader));
            } catch (DateTimeException another) {
                // The next format may fit.
            }
        }
        return Optional.empty();
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
        return length <= MAX_SORTABLE_LENGTH
                ? folded
                : folded.substring(0, folded.offsetByCodePoints(0, MAX_SORTABLE_LENGTH));
    }
}
