package org.azuremail.delivery;

/**
 * What a transport call carries, by row keys, both inclusive.
 *
 * @param resent whether these recipients were already in doubt once: they are handed over this time and never again
 */
public record LotBounds(String from, String to, boolean resent) {

    public boolean covers(String rowKey) {
        return from.compareTo(rowKey) <= 0 && rowKey.compareTo(to) <= 0;
    }
}
