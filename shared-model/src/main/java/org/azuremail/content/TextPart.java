package org.azuremail.content;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The origin of a message's text part. A generated one follows the HTML; a written one stays unchanged. */
public enum TextPart {
    WRITTEN("Written"),
    /** Written before the last change of the HTML. Older versions treat it as a written one. */
    OUTDATED("Outdated"),
    GENERATED("Generated");

    private final String stored;

    TextPart(String stored) {
        this.stored = stored;
    }

    public String stored() {
        return stored;
    }

    /** Returns the origin; {@code null} for rows of versions that did not record it. */
    public static @Nullable TextPart of(@Nullable String stored) {
        return Arrays.stream(values())
                .filter(one -> one.stored.equals(stored))
                .findFirst()
                .orElse(null);
    }

    /** Returns the text for this HTML, or the subject if the HTML contains no text. */
    static String generate(String html, String subject) {
        String text = HtmlText.of(html);
        return text.isBlank() ? subject.strip() + "\n" : text;
    }

    /**
     * Guesses the origin of a text part that an older version stored without one. It is generated if it contains the
     * words of the HTML and nothing else, in any layout: older generators differ in layout, and included hidden text.
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
