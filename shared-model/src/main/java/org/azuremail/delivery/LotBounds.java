package org.azuremail.delivery;

import java.util.List;

/**
 * What a transport call carries, by row keys, both inclusive.
 *
 * @param resent whether these recipients were already in doubt once: they are handed over this time and never again
 */
public record LotBounds(String from, String to, boolean resent) {

    /** The bounds of these rows, of which there is at least one; they stand in order. */
    public static LotBounds around(List<WaitingRow> rows, boolean resent) {
        return new LotBounds(rows.get(0).rowKey(), rows.get(rows.size() - 1).rowKey(), resent);
    }

    public boolean covers(String rowKey) {
        return from.compareTo(rowKey) <= 0 && rowKey.compareTo(to) <= 0;
    }
}
