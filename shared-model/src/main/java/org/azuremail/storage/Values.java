package org.azuremail.storage;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a row, immutable. A value is a {@code String} (at most 32 Ki characters), {@code Boolean},
 * {@code Integer}, {@code Long}, {@code Double}, {@code Instant} (kept to the microsecond) or {@code byte[]} (at most
 * 64 KiB): the types of Azure tables. A missing property is {@code null}; missing is not {@code false} and not
 * {@code 0}, so readers say what they mean by naming a default.
 */
public final class Values {

    /** The longest string property, in characters. */
    public static final int MAX_STRING_LENGTH = 32 * 1024;

    /** The longest binary property, in bytes. */
    public static final int MAX_BINARY_LENGTH = 64 * 1024;

    private static final Values NONE = new Values(new PropertyMap());

    private final PropertyMap map;

    private Values(PropertyMap map) {
        this.map = map;
    }

    /** No properties at all. */
    public static Values none() {
        return NONE;
    }

    /** One property; more are added by {@link #with}. */
    public static Values of(String name, Object value) {
        return builder().put(name, value).build();
    }

    /** Collects properties one by one. */
    public static Builder builder() {
        return new Builder(new PropertyMap());
    }

    /** A copy with one property set; {@code null} removes it. */
    public Values with(String name, @Nullable Object value) {
        return toBuilder().put(name, value).build();
    }

    /** A builder that starts with these properties. */
    public Builder toBuilder() {
        return new Builder(new PropertyMap(map));
    }

    /** All properties by name, in the order in which they were put. */
    public Map<String, Object> asMap() {
        return Collections.unmodifiableMap(map);
    }

    int size() {
        return map.size();
    }

    /** Only to be walked: {@link #asMap} wraps each entry anew. */
    Set<Map.Entry<String, Object>> entries() {
        return map.entrySet();
    }

    public @Nullable String string(String name) {
        return (String) map.get(name);
    }

    public String string(String name, String missing) {
        String value = string(name);
        return value == null ? missing : value;
    }

    /**
     * A string that must be there.
     *
     * @throws StorageException CORRUPT when it is missing
     */
    public String requireString(String name) {
        return require(name, string(name));
    }

    public boolean bool(String name, boolean missing) {
        Object value = map.get(name);
        return value == null ? missing : (Boolean) value;
    }

    public int integer(String name, int missing) {
        Object value = map.get(name);
        return value == null ? missing : ((Number) value).intValue();
    }

    public long number(String name, long missing) {
        Object value = map.get(name);
        return value == null ? missing : ((Number) value).longValue();
    }

    public @Nullable Instant instant(String name) {
        return (Instant) map.get(name);
    }

    /**
     * An instant that must be there.
     *
     * @throws StorageException CORRUPT when it is missing
     */
    public Instant requireInstant(String name) {
        return require(name, instant(name));
    }

    public byte @Nullable [] bytes(String name) {
        byte[] value = (byte[]) map.get(name);
        return value == null ? null : value.clone();
    }

    private static <T> T require(String name, @Nullable T value) {
        if (value == null) {
            throw new StorageException(StorageException.Reason.CORRUPT, "property " + name + " is missing", null);
        }
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Values that
                && map.keySet().equals(that.map.keySet())
                && map.entrySet().stream()
                        .allMatch(entry -> Objects.deepEquals(entry.getValue(), that.map.get(entry.getKey())));
    }

    @Override
    public int hashCode() {
        return map.keySet().hashCode();
    }

    @Override
    public String toString() {
        return map.toString();
    }

    /** Collects properties; {@code null} values are left out. */
    public static final class Builder {

        private PropertyMap map;
        private boolean handedOver;

        private Builder(PropertyMap map) {
            this.map = map;
        }

        /**
         * Sets a property, or removes it when the value is {@code null}.
         *
         * @throws IllegalArgumentException when tables cannot hold such a value
         */
        public Builder put(String name, @Nullable Object value) {
            if (handedOver) {
                map = new PropertyMap(map);
                handedOver = false;
            }
            if (value == null) {
                map.remove(name);
            } else {
                map.put(name, supported(name, value));
            }
            return this;
        }

        /** The values collected so far; later ones do not change them. */
        public Values build() {
            handedOver = true;
            return new Values(map);
        }

        private static Object supported(String name, Object value) {
            if (value instanceof String text && text.length() > MAX_STRING_LENGTH) {
                throw new IllegalArgumentException("property " + name + " is longer than 32 Ki characters");
            }
            if (value instanceof byte[] bytes && bytes.length > MAX_BINARY_LENGTH) {
                throw new IllegalArgumentException("property " + name + " is larger than 64 KiB");
            }
            if (value instanceof Instant instant) {
                return instant.truncatedTo(ChronoUnit.MICROS);
            }
            if (value instanceof String
                    || value instanceof Boolean
                    || value instanceof Integer
                    || value instanceof Long
                    || value instanceof Double) {
                return value;
            }
            if (value instanceof byte[] bytes) {
                return bytes.clone();
            }
            throw new IllegalArgumentException("property " + name + " cannot be a " + value.getClass());
        }
    }
}
