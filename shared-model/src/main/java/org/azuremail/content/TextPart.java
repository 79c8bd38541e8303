package org.azuremail.content;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The origin of a message's text part: a generated one follows the HTML, a written one stays as it is. */
public enum TextPart {
    WRITTEN("Written"),
    /** Written before the HTML was last changed. Versions that do not know it take it for a written one. */
    OUTDATED("Outdated"),
    GENERATED("Generated");

    private final String stored;

    TextPart(String stored) {
        this.stored = stored;
    }

    public String stored() {
        return stored;
    }

    /** {@code null} for rows of versions that did not tell. */
    public static @Nullable TextPart of(@Nullable String stored) {
        return Arrays.stream(values())
                .filter(one -> one.stored.equals(stored))
                .findFirst()
                .orElse(null);
    }

    /** Returns the text that stands for this HTML; the subject where the HTML says nothing. */
    static String generate(String html, String subject) {
        String text = HtmlText.of(html);
        return text.isBlank() ? subject.strip() + "\n" : text;
    }

    /**
     * Guesses the origin of a text part that has none on record, as older versions left it: generated when it says nothing but
     * what the HTML says, word for word, whatever its layout. Older generators differ in layout, and showed hidden text too.
     */
    public static TextPart guess(String subject, String html, String text) {
        String letters = letters(text);
        boolean generated =
                letters.equals(letters(generate(html, subject))) || letters.equals(letters(HtmlText.of(html, true)));
        return generated ? GENERATED : WRITTEN;
    }

    private static String letters(String text) {
        StringBuilder letters = new StringBuilder(text.length());
        text.codePoints().filter(Character::isLetter).forEach(letters::appendCodePoint);
        return letters.toString();
    }
}
