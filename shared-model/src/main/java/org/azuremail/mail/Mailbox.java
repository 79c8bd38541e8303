package org.azuremail.mail;

/**
 * An address with a display name, as in {@code From}.
 *
 * @param name may be empty; never holds a line break or another control character
 */
public record Mailbox(EmailAddress address, String name) {

    public Mailbox {
        if (name.chars().anyMatch(c -> c < ' ' || c == 127)) {
            throw new IllegalArgumentException("a display name holds no line break or control character");
        }
    }

    /** For people to read; not encoded, so never for a header. */
    @Override
    public String toString() {
        return name.isBlank() ? address.value() : name + " <" + address + ">";
    }
}
