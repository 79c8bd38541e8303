package org.azuremail.mailclass;

import java.util.Optional;
import org.azuremail.id.AsciiWord;

/** The plan of a list's owner. It decides the class of the list's messages unless a message specifies one. */
public enum Plan {
    FREE,
    FEE_PAYING;

    /** Returns the word in the table and in the API. */
    public String stored() {
        return AsciiWord.of(this);
    }

    public static Optional<Plan> parse(String word) {
        return AsciiWord.find(Plan.class, Plan::stored, word);
    }
}
