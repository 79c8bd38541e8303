package org.azuremail.storage;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The immutable properties of a row. A value is a {@code String} (at most 32 Ki characters), {@code Boolean},
 * {@code Integer}, {@code Long}, {@code Double}, {@code Instant} (rounded down to the microsecond) or {@code byte[]}
 * (at most 64 KiB). These are the types of Azure tables. A missing property is {@code null}, not {@code false} or
 * {@code 0}, so readers pass the default that they want. Reading a property as another type throws a
 * {@link StorageException} with the reason CORRUPT.
 */
public final class Values {

    /** The longest string property, in characters. */
    public static final int MAX_STRING_LENGTH = 32 * 1024;

    /** The longest binary property, in bytes. */
    public static final int MAX_BINARY_LENGTH = 64 * 1024;

    private static final int USUAL_SIZE = 12;
    private static final Values NONE = builder().build();

    /**
     * Each name, followed by its value. A linked map would take four times the memory, and senders hold tens of
     * thousands of rows.
     */
    private final @Nullable Object[] table;

    private final int length;

    /** One bit for the hash of each name, which saves the search for most missing names. */
    private final long names;

    private Values(@Nullable Object[] table, int length, long names) {
        this.table = table;
        this.length = length;
        this.names = names;
    }

    public static Values none() {
        return NONE;
    }

    /** Returns values with one property; {@link #with} adds more. */
    public static Values of(String name, Object value) {
        return builder().put(name, value).build();
    }

    public static Builder builder() {
        return new Builder(new Object[2 * USUAL_SIZE], 0, 0);
    }

    /** Returns a copy with one property set; {@code null} removes it. */
    public Values with(String name, @Nullable Object value) {
        return toBuilder().put(name, value).build();
    }

    public Builder toBuilder() {
        return new Builder(Arrays.copyOf(table, Math.max(length, USUAL_SIZE) + USUAL_SIZE), length, names);
    }

    /** Returns a copy of all properties by name, in the order in which they were put. */
    public Map<String, Object> asMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        forEach(map::put);
        return Collections.unmodifiableMap(map);
    }

    /** Calls the action with each property, in the order in which they were put. */
    public void forEach(BiConsumer<String, Object> action) {
        for (int i = 0; i < size(); i++) {
            action.accept(name(i), value(i));
        }
    }

    int size() {
        return length / 2;
    }

    String name(int index) {
        return (String) Objects.requireNonNull(table[2 * index]);
    }

    Object value(int index) {
        return Objects.requireNonNull(table[2 * index + 1]);
    }

    private @Nullable Object get(String name) {
        int at = find(table, length, names, name);
        return at < 0 ? null : table[at + 1];
    }

    private <T> @Nullable T get(String name, Class<T> type) {
        Object value = get(name);
        if (value != null && !type.isInstance(value)) {
            throw corrupt(name, "is not a " + type.getSimpleName());
        }
        return type.cast(value);
    }

    private static int find(@Nullable Object[] table, int length, long names, String name) {
        if ((names & bit(name)) != 0) {
            for (int i = 0; i < length; i += 2) {
                if (name.equals(table[i])) {
                    return i;
                }
            }
        }
        return -1;
    }

    private static long bit(String name) {
        int hash = name.hashCode();
        return 1L << (hash ^ (hash >>> 6) ^ (hash >>> 12));
    }

    public @Nullable String string(String name) {
        return get(name, String.class);
    }

    public String string(String name, String missing) {
        String value = string(name);
        return value == null ? missing : value;
    }

    /**
     * Returns a string property that must exist.
     *
     * @throws StorageException CORRUPT if it is missing
     */
    public String requireString(String name) {
        return require(name, string(name));
    }

    public boolean bool(String name, boolean missing) {
        Boolean value = get(name, Boolean.class);
        return value == null ? missing : value;
    }

    public int integer(String name, int missing) {
        Number value = get(name, Number.class);
        return value == null ? missing : value.intValue();
    }

    public long number(String name, long missing) {
        Number value = get(name, Number.class);
        return value == null ? missing : value.longValue();
    }

    /**
     * Returns a number property that must exist.
     *
     * @throws StorageException CORRUPT if it is missing
     */
    public long requireNumber(String name) {
        return require(name, get(name, Number.class)).longValue();
    }

    public @Nullable Instant instant(String name) {
        return get(name, Instant.class);
    }

    /**
     * Returns an instant property that must exist.
     *
     * @throws StorageException CORRUPT if it is missing
     */
    public Instant requireInstant(String name) {
        return require(name, instant(name));
    }

    public byte @Nullable [] bytes(String name) {
        byte[] value = get(name, byte[].class);
        return value == null ? null : value.clone();
    }

    private static <T> T require(String name, @Nullable T value) {
        if (value == null) {
            throw corrupt(name, "is missing");
        }
        return value;
    }

    private static StorageException corrupt(String name, String fault) {
        return new StorageException(StorageException.Reason.CORRUPT, "property " + name + " " + fault, null);
    }

    /** Compares properties by name and value; their order does not matter. */
    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Values that) || that.length != length) {
            return false;
        }
        for (int i = 0; i < size(); i++) {
            if (!Objects.deepEquals(value(i), that.get(name(i)))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return asMap().keySet().hashCode();
    }

    @Override
    public String toString() {
        return asMap().toString();
    }

    public static final class Builder {

        private @Nullable Object[] table;
        private int length;
        private long names;
        private boolean shared;

        private Builder(@Nullable Object[] table, int length, long names) {
            this.table = table;
            this.length = length;
            this.names = names;
        }

        /**
         * Sets a property, or removes it if the value is {@code null}.
         *
         * @throws IllegalArgumentException if the value has an unsupported type or is too long
         */
        public Builder put(String name, @Nullable Object value) {
            if (shared || length == table.length) {
                table = Arrays.copyOf(table, Math.max(length, USUAL_SIZE) * 2);
                shared = false;
            }
            int at = find(table, length, names, name);
            if (value == null) {
                remove(at);
            } else if (at >= 0) {
                table[at + 1] = supported(name, value);
            } else {
                table[length + 1] = supported(name, value);
                table[length] = name;
                length += 2;
                names |= bit(name);
            }
            return this;
        }

        private void remove(int at) {
            if (at >= 0) {
                System.arraycopy(table, at + 2, table, at, length - at - 2);
                length -= 2;
            }
        }

        /** Returns the values collected so far. Later calls of this builder do not change them. */
        public Values build() {
            shared = true;
            return new Values(table, length, names);
        }

        private static Object supported(String name, Object value) {
            if (value instanceof String text) {
                if (text.length() > MAX_STRING_LENGTH) {
                    throw new IllegalArgumentException("property " + name + " is longer than 32 Ki characters");
                }
                return text;
            }
            if (value instanceof byte[] bytes) {
                if (bytes.length > MAX_BINARY_LENGTH) {
                    throw new IllegalArgumentException("property " + name + " is larger than 64 KiB");
                }
                return bytes.clone();
            }
            if (value instanceof Instant instant) {
                return instant.truncatedTo(ChronoUnit.MICROS);
            }
            if (value instanceof Boolean
                    || value instanceof Integer
                    || value instanceof Long
                    || value instanceof Double) {
                return value;
            }
            throw new IllegalArgumentException("property " + name + " cannot be a " + value.getClass());
        }
    }
}
