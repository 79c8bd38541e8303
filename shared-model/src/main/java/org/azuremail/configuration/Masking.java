package org.azuremail.configuration;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.azuremail.reason.Reason;

/**
 * Masks settings before they are shown. A value is masked if it or its name may be a secret. Masking too much is
 * preferred, because the result is stored, shown on pages and included in backups.
 */
final class Masking {

    static final String MASK = "******";

    private static final int MAX_LENGTH = 200;

    /** Settings whose names look like those of secrets but that are harmless. */
    private static final Set<String> HARMLESS =
            Set.of("azuremail.password.strength", "azuremail.key.requests-per-second");

    /**
     * Names of secrets, matched after all characters except letters and digits are removed, for example from
     * {@code Pass-Word} and {@code API_KEY}.
     */
    private static final Pattern SECRET_NAME = Pattern.compile("pass|pwd|secret|token|credential|key|connectionstring|"
            + "signature|auth|pepper|salt|bearer|cookie|private|cert|webhook|dsn|jdbc|verification");

    private static final Pattern ASSIGNMENT = Pattern.compile(
            "(?i)(?:key|signature|sig|pass\\w*|pwd|secret|token|code|credentials?|auth\\w*|bearer)[\"']?\\s*[=:]\\s*\\S");
    private static final Pattern OPAQUE = Pattern.compile("[A-Za-z0-9+_=~-]{20,}");
    private static final Pattern URL =
            Pattern.compile("(?i)\\b([a-z][a-z0-9+.-]*)://([^\\s/?#,;]*)([^\\s?#,;]*)[^\\s,;]*");
    private static final Pattern SIGNED_IN = Pattern.compile("[^\\s/@:]+:[^\\s/@]+@");

    private Masking() {}

    static String mask(String name, String value) {
        if (value.isEmpty() || value.equals("true") || value.equals("false")) {
            return value;
        }
        String bare =
                name.toLowerCase(Locale.ROOT).replaceFirst("^azuremail[._]", "").replaceAll("[^\\p{L}\\p{Nd}]", "");
        if (!HARMLESS.contains(name) && SECRET_NAME.matcher(bare).find()) {
            return MASK;
        }
        String shown = URL.matcher(value)
                .replaceAll(found -> Matcher.quoteReplacement(address(found.group(1), found.group(2), found.group(3))));
        if (isSecret(shown)) {
            return MASK;
        }
        return shown.length() > MAX_LENGTH ? Reason.truncate(shown, MAX_LENGTH) + "…" : shown;
    }

    /**
     * Returns the scheme, the host and harmless parts of the path, without user names, passwords, queries and
     * fragments.
     */
    private static String address(String scheme, String authority, String path) {
        String host = authority.substring(authority.lastIndexOf('@') + 1);
        StringBuilder shown = new StringBuilder(scheme).append("://").append(host);
        for (String part : path.split("/", -1)) {
            if (!part.isEmpty()) {
                shown.append('/').append(looksRandom(part, 12) ? MASK : part);
            }
        }
        return shown.toString();
    }

    private static boolean isSecret(String value) {
        return ASSIGNMENT.matcher(value).find()
                || SIGNED_IN.matcher(value).find()
                || OPAQUE.matcher(value).results().anyMatch(part -> looksRandom(part.group(), 20));
    }

    /** Returns whether a text is long and mixes letters with digits. */
    private static boolean looksRandom(String text, int length) {
        return text.length() >= length
                && text.chars().anyMatch(Character::isDigit)
                && text.chars().anyMatch(Character::isLetter);
    }
}
