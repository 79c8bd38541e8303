package org.azuremail.web.layout;

import java.util.Locale;

/**
 * The codes of constants in keys of texts, ids and classes of styles. They are {@code codes} in the frame of each page,
 * because {@code #strings} folds letters as the reader's language does: Turkish has an ı for an I.
 */
final class Codes {

    /** Returns the name of a constant in lower case. */
    public String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
