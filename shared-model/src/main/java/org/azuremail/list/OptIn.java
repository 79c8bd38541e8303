package org.azuremail.list;

import java.util.Locale;
import java.util.Optional;
import org.azuremail.id.AsciiWord;

/** The steps that a person takes to join a list. */
public enum OptIn {
    /** A subscribe call and a click on the page of the confirmation's link. */
    DOUBLE,
    /** The subscribe call alone. People who have left must still confirm by email. */
    SINGLE;

    /** Returns the word in the table and in the API. */
    public String stored() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<OptIn> parse(String word) {
        return AsciiWord.find(OptIn.class, OptIn::stored, word);
    }
}
