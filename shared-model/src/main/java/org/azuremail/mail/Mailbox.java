package org.azuremail.mail;

import org.springframework.util.Assert;

/**
 * An address with a display name, as in {@code From}.
 *
 * @param name may be empty; contains no line breaks or other control characters
 */
public record Mailbox(EmailAddress address, String name) {

    public Mailbox {
        Assert.isTrue(
                name.chars().noneMatch(c -> c < ' ' || c == 127),
                "a display name holds no line break or control character");
    }

    /** Returns a text for people. It is not encoded, so it must not be used in a header. */
    @Override
    public String toString() {
        return name.isBlank() ? address.value() : name + " <" + address + ">";
    }
}
