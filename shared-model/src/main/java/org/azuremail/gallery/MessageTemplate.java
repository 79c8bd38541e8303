package org.azuremail.gallery;

import java.util.Optional;
import java.util.regex.Pattern;
import org.azuremail.list.ListName;
import org.jspecify.annotations.Nullable;

/**
 * A template of messages.
 *
 * @param name 1 to 40 lower-case letters, digits, {@code -} and {@code _}
 * @param list to which it belongs; {@code null} for all lists
 * @param shipped whether it comes with the product, so it never changes
 */
public record MessageTemplate(String name, @Nullable ListName list, Mjml mjml, boolean shipped) {

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_-]{0,39}");

    /** A name as typed. */
    public static Optional<String> name(String typed) {
        return Optional.of(typed.strip()).filter(name -> NAME.matcher(name).matches());
    }
}
