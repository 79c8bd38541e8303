package org.azuremail.subscription.transfer;

import java.util.List;
import org.azuremail.reason.Reason;

/**
 * A row of a file that changed nothing.
 *
 * @param row the line of the file in which it begins, from 1
 * @param address the cell in the address column
 * @param others the other cells of the row, so that it can be corrected and imported; empty if they are too long to keep, or an
 *     older version saved the refusal
 */
public record RefusedRow(long row, String address, Reason reason, List<String> others) {

    private static final int SHOWN = 320;

    /** The most characters of a row's other cells: a chunk of such rows fits in memory. */
    private static final int KEPT = 8000;

    public RefusedRow {
        address = address.length() > SHOWN ? address.substring(0, SHOWN) : address;
        others = kept(others);
    }

    /** The cells, or none where they are too long. */
    static List<String> kept(List<String> others) {
        return others.stream().mapToInt(String::length).sum() > KEPT ? List.of() : others;
    }
}
