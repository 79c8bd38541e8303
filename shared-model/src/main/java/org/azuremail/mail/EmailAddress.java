package org.azuremail.mail;

import com.sanctionco.jmail.Email;
import com.sanctionco.jmail.EmailValidator;
import com.sanctionco.jmail.JMail;
import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * An e-mail address that a real server would take, as it was typed: the local part is kept for sending, the domain is
 * lower-case with A-labels. Two addresses are the same subscriber when {@link #folded()} is equal.
 *
 * @param value local part as typed, {@code @}, domain in lower case
 */
public record EmailAddress(String value) {

    /** RFC 5321, 4.5.3.1.3: a path has at most 256 octets, angle brackets included. */
    public static final int MAX_LENGTH = 254;

    /** RFC 5321, 4.5.3.1.1, counted in octets: escaped, such an address is a key of any storage. */
    private static final int MAX_LOCAL_OCTETS = 64;

    private static final EmailValidator VALIDATOR = JMail.strictValidator()
            .disallowIpDomain()
            .disallowExplicitSourceRouting()
            .requireTopLevelDomain();

    public EmailAddress {
        if (value.length() > MAX_LENGTH || value.indexOf('@') < 1) {
            throw new IllegalArgumentException("not an e-mail address");
        }
    }

    /**
     * The address, when the text is one: strictly valid, with a domain that has a dot, without comments, display name or
     * control characters. Surrounding blanks are dropped.
     */
    public static Optional<EmailAddress> parse(String text) {
        String typed = text.strip();
        if (PlainAddress.is(typed)) {
            return Optional.of(new EmailAddress(typed));
        }
        int at = typed.lastIndexOf('@');
        if (at < 1
                || typed.length() > MAX_LENGTH
                || !hasOnlyCharacters(typed)
                || octets(typed, at) > MAX_LOCAL_OCTETS) {
            return Optional.empty();
        }
        String address;
        try {
            address = typed.substring(0, at + 1)
                    + IDN.toASCII(typed.substring(at + 1), IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException notADomain) {
            return Optional.empty();
        }
        Optional<Email> parsed = VALIDATOR
                .tryParse(address)
                .filter(email -> !email.hasIdentifier() && email.comments().isEmpty());
        return parsed.isPresent() && address.length() <= MAX_LENGTH
                ? Optional.of(new EmailAddress(address))
                : Optional.empty();
    }

    /** No control characters and no halves of characters, which no storage keeps. */
    private static boolean hasOnlyCharacters(String text) {
        return text.codePoints().noneMatch(c -> c < ' ' || c == 127 || Character.getType(c) == Character.SURROGATE);
    }

    private static int octets(String text, int end) {
        return text.substring(0, end).getBytes(StandardCharsets.UTF_8).length;
    }

    /** The form by which addresses are compared and stored in keys: all lower case. */
    public String folded() {
        return value.toLowerCase(Locale.ROOT);
    }

    /**
     * Whether the local part holds letters outside ASCII: only servers that know SMTPUTF8 (RFC 6531) take it, and our own SMTP
     * transport does not speak it.
     */
    public boolean needsSmtpUtf8() {
        return value.chars().anyMatch(c -> c > 127);
    }

    /** What stands after the {@code @}. */
    public String domain() {
        return value.substring(value.lastIndexOf('@') + 1);
    }

    @Override
    public String toString() {
        return value;
    }
}
