package org.azuremail.id;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Compares words of the product with words from outside, ignoring the case of ASCII letters only. Java's own
 * comparisons also accept a long s for an <em>s</em> and the Kelvin sign for a <em>k</em>.
 */
public final class AsciiWord {

    private AsciiWord() {}

    /** Returns whether a typed text is this word, ignoring case; {@code null} is no word. */
    public static boolean same(String word, @Nullable String typed) {
        return word.equals(typed)
                || (typed != null
                        && word.length() == typed.length()
                        && lower(word).equals(lower(typed)));
    }

    /** Returns the word in lower case; a word with letters outside ASCII is returned unchanged. */
    public static String lower(String typed) {
        return typed.chars().allMatch(c -> c < 128) ? typed.toLowerCase(Locale.ROOT) : typed;
    }

    /** Returns the text with the decimal digits of every script as ASCII digits. */
    public static String digits(String typed) {
        StringBuilder text = new StringBuilder(typed.length());
        typed.codePoints()
                .map(c -> Character.isDigit(c) ? '0' + Character.digit(c, 10) : c)
                .forEach(text::appendCodePoint);
        return text.toString();
    }

    /** Returns the word for a constant, in lower case with {@code -} for {@code _}. */
    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the constant that a typed text names, ignoring case and surrounding spaces. */
    public static <E extends Enum<E>> Optional<E> find(
            Class<E> constants, Function<E, String> word, @Nullable String typed) {
        String name = typed == null ? "" : typed.strip();
        return Arrays.stream(constants.getEnumConstants())
                .filter(one -> same(word.apply(one), name))
                .findFirst();
    }
}
