package org.azuremail.subscription.transfer;

import java.util.Optional;
import java.util.regex.Pattern;
import org.azuremail.id.IdSource;

/**
 * The id of an import; it cannot be guessed.
 *
 * @param value 22 characters of {@code A-Z a-z 0-9 - _}
 */
public record ImportId(String value) {

    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{22}");

    public ImportId {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("not an import's id");
        }
    }

    public static Optional<ImportId> parse(String text) {
        return FORM.matcher(text).matches() ? Optional.of(new ImportId(text)) : Optional.empty();
    }

    static ImportId next(IdSource ids) {
        return new ImportId(ids.token());
    }

    @Override
    public String toString() {
        return value;
    }
}
