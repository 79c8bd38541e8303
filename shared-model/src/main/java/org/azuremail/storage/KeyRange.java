package org.azuremail.storage;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * A range of rows in key order. Bounds are compared as ASCII, and {@code null} means unbounded. Row bounds require a
 * single partition.
 *
 * @param fromPartition the first partition, inclusive, or the only one if {@code single}
 * @param toPartition the bound of the partitions, exclusive; unused if {@code single}
 * @param single whether the range lies within {@code fromPartition} alone
 * @param fromRow the first row key, inclusive
 * @param toRow the bound of the row keys, exclusive
 */
public record KeyRange(
        @Nullable String fromPartition,
        @Nullable String toPartition,
        boolean single,
        @Nullable String fromRow,
        @Nullable String toRow) {

    public KeyRange {
        Assert.isTrue(!single || fromPartition != null, "a single partition needs its name");
        Assert.isTrue(single || (fromRow == null && toRow == null), "row bounds need a single partition");
    }

    public static KeyRange partition(String partition) {
        return new KeyRange(partition, null, true, null, null);
    }

    /** Returns the rows of one partition from a key (inclusive) to a key (exclusive). */
    public static KeyRange rows(String partition, @Nullable String fromInclusive, @Nullable String toExclusive) {
        return new KeyRange(partition, null, true, fromInclusive, toExclusive);
    }

    public static KeyRange prefix(String partition, String rowPrefix) {
        return rows(partition, rowPrefix, afterPrefix(rowPrefix));
    }

    /** Returns the rows of one partition that begin with the prefix and are after the given key, if any. */
    public static KeyRange prefixAfter(String partition, String rowPrefix, @Nullable String afterRow) {
        String from = afterRow == null || afterRow.compareTo(rowPrefix) < 0 ? rowPrefix : next(afterRow);
        return rows(partition, from, afterPrefix(rowPrefix));
    }

    /** Returns all rows of the partitions from a name (inclusive) to a name (exclusive). */
    public static KeyRange partitions(@Nullable String fromInclusive, @Nullable String toExclusive) {
        return new KeyRange(fromInclusive, toExclusive, false, null, null);
    }

    public static KeyRange everything() {
        return partitions(null, null);
    }

    /** Returns the smallest bound after a key: no key lies between the two. */
    public static String next(String key) {
        return key + "!";
    }

    /** Returns the smallest bound after every key that begins with the prefix. */
    public static String afterPrefix(String prefix) {
        char last = prefix.charAt(prefix.length() - 1);
        return prefix.substring(0, prefix.length() - 1) + (char) (last + 1);
    }
}
