package org.azuremail.storage;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A dozen properties in the order in which they were put, looked through from the front: a quarter of what a linked map takes,
 * and senders hold tens of thousands of rows. Filled by one thread; then safe to be read by many.
 */
final class PropertyMap extends AbstractMap<String, Object> {

    private static final int USUAL = 12;

    /** Names at even places, each with its value behind it. */
    private Object[] table;

    private int length;

    /** A bit for the hash of each name that was ever put: most names that are asked for in vain have none. */
    private long names;

    PropertyMap() {
        this.table = new Object[2 * USUAL];
    }

    /** A copy with a little room. */
    PropertyMap(PropertyMap other) {
        this.table = Arrays.copyOf(other.table, Math.max(other.length + USUAL, 2 * USUAL));
        this.length = other.length;
        this.names = other.names;
    }

    @Override
    public @Nullable Object get(Object name) {
        int at = find(name);
        return at < 0 ? null : table[at + 1];
    }

    @Override
    public boolean containsKey(Object name) {
        return find(name) >= 0;
    }

    private static long bit(Object name) {
        int hash = name.hashCode();
        return 1L << (hash ^ (hash >>> 6) ^ (hash >>> 12));
    }

    private int find(Object name) {
        if ((names & bit(name)) == 0) {
            return -1;
        }
        for (int i = 0; i < length; i += 2) {
            if (table[i].equals(name)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public @Nullable Object put(String name, Object value) {
        int at = find(name);
        if (at >= 0) {
            Object old = table[at + 1];
            table[at + 1] = value;
            return old;
        }
        if (length == table.length) {
            table = Arrays.copyOf(table, 2 * length);
        }
        table[length] = name;
        table[length + 1] = value;
        length += 2;
        names |= bit(name);
        return null;
    }

    @Override
    public @Nullable Object remove(Object name) {
        int at = find(name);
        if (at < 0) {
            return null;
        }
        Object old = table[at + 1];
        System.arraycopy(table, at + 2, table, at, length - at - 2);
        length -= 2;
        return old;
    }

    @Override
    public int size() {
        return length / 2;
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super Object> action) {
        for (int i = 0; i < length; i += 2) {
            action.accept((String) table[i], table[i + 1]);
        }
    }

    /** Not to be changed by it. */
    @Override
    public Set<Map.Entry<String, Object>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<String, Object>> iterator() {
                return entries();
            }

            @Override
            public int size() {
                return length / 2;
            }
        };
    }

    private Iterator<Map.Entry<String, Object>> entries() {
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < length;
            }

            @Override
            public Map.Entry<String, Object> next() {
                if (next >= length) {
                    throw new NoSuchElementException();
                }
                next += 2;
                return Map.entry((String) table[next - 2], table[next - 1]);
            }
        };
    }
}
