package org.azuremail.delivery.range;

import java.util.List;
import org.azuremail.list.ListName;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a transport call, by row keys, both inclusive.
 *
 * @param list only subscribers of this list between the bounds; {@code null} for subscribers of all lists
 * @param resent whether these recipients were already in doubt once, so that this hand-over is their last
 * @param id names this hand-over in the sender's journal; empty when it is not in a journal
 */
public record LotBounds(String from, String to, @Nullable ListName list, boolean resent, String id) {

    /** Returns the bounds of at least one row; the rows are in order. */
    public static LotBounds around(List<EmailRow> rows, boolean resent) {
        ListName first = rows.get(0).recipient().list();
        boolean same = rows.stream().allMatch(row -> row.recipient().list().equals(first));
        String to = rows.get(rows.size() - 1).rowKey();
        return new LotBounds(rows.get(0).rowKey(), to, same ? first : null, resent, "");
    }

    public LotBounds named(String newId) {
        return new LotBounds(from, to, list, resent, newId);
    }

    public boolean covers(EmailRow row) {
        return covers(row.rowKey(), row.recipient().list());
    }

    /** Returns whether the lot contains an email to a subscriber of this list. */
    public boolean covers(String rowKey, ListName of) {
        return from.compareTo(rowKey) <= 0 && rowKey.compareTo(to) <= 0 && (list == null || list.equals(of));
    }
}
