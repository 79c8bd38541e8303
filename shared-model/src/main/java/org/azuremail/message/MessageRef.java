package org.azuremail.message;

import java.util.Optional;
import org.springframework.util.Assert;

/**
 * The number of a message, unique over all instances, from the compact id allocator.
 *
 * @param value 1 to 10^18 - 1
 */
public record MessageRef(long value) implements Comparable<MessageRef> {

    private static final int DIGITS = 18;

    public MessageRef {
        Assert.isTrue(value >= 1 && value <= 999_999_999_999_999_999L, "a MessageRef has 1 to 18 digits");
    }

    public static Optional<MessageRef> parse(String text) {
        return text.matches("[0-9]{1,18}") && Long.parseLong(text) > 0
                ? Optional.of(new MessageRef(Long.parseLong(text)))
                : Optional.empty();
    }

    /** Returns the number with eighteen digits, as in keys, so that keys sort in order of number. */
    public String padded() {
        String digits = Long.toString(value);
        return "0".repeat(DIGITS - digits.length()) + digits;
    }

    @Override
    public int compareTo(MessageRef other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
