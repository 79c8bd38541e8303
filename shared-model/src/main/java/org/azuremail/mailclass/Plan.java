package org.azuremail.mailclass;

import java.util.Optional;
import org.azuremail.id.AsciiWord;

/** The plan of a list's owner. It decides the class of the list's messages unless a message says otherwise. */
public enum Plan {
    FREE,
    FEE_PAYING;

    /** Returns the value that the table and the API use. */
    public String stored() {
        return AsciiWord.of(this);
    }

    public static Optional<Plan> parse(String word) {
        return AsciiWord.find(Plan.class, Plan::stored, word);
    }
}
