package org.azuremail.list;

import java.util.Locale;
import java.util.Optional;
import org.azuremail.id.AsciiWord;

/** The steps that it takes to join a list. */
public enum OptIn {
    /** A press on the page behind the confirmation mail's link. */
    DOUBLE,
    /** The subscribe call alone. People who have left confirm by email here, too. */
    SINGLE;

    /** The word in the table and in the API. */
    public String stored() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<OptIn> parse(String word) {
        return AsciiWord.find(OptIn.class, OptIn::stored, word);
    }
}
