package org.azuremail.feedback;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.azuremail.mail.EmailAddress;
import org.jspecify.annotations.Nullable;

/**
 * An address of ours that tells by a handle which email it is about.
 *
 * @param pattern with a {@code *} where the handle stands
 */
record HandleAddress(String pattern) {

    private static final int LONGEST_LOCAL_PART = 64;

    /**
     * Reads a setting: {@code bounces@example.org} means {@code bounces+*@example.org}.
     *
     * @throws IllegalArgumentException when it cannot carry a handle
     */
    static @Nullable HandleAddress of(@Nullable String address, String setting) {
        if (address == null || address.isBlank()) {
            return null;
        }
        String stripped = address.strip();
        String pattern = stripped.contains("*") ? stripped : stripped.replaceFirst("@", "+*@");
        String longest = pattern.replace("*", "x".repeat(MailHandles.LONGEST));
        if (pattern.indexOf('*') != pattern.lastIndexOf('*')
                || pattern.indexOf('*') > pattern.indexOf('@')
                || longest.indexOf('@') > LONGEST_LOCAL_PART
                || EmailAddress.parse(longest).isEmpty()) {
            throw new IllegalArgumentException(setting
                    + " must be an email address like bounces@example.org, with at most "
                    + (LONGEST_LOCAL_PART - MailHandles.LONGEST - 1)
                    + " characters before the @, not " + pattern.replace("+*@", "@"));
        }
        return new HandleAddress(pattern);
    }

    /** The handle in such an address, wherever it stands in this text. */
    Optional<String> handleIn(String text) {
        String[] around = pattern.split("\\*", 2);
        Matcher found = Pattern.compile(
                        Pattern.quote(around[0]) + "([0-9a-z]{20," + MailHandles.LONGEST + "})"
                                + Pattern.quote(around[1]),
                        Pattern.CASE_INSENSITIVE)
                .matcher(text);
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }
}
