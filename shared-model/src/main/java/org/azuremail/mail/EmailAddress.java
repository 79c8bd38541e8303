package org.azuremail.mail;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.util.Assert;

/**
 * An email address that real servers accept. The local part stays as typed, for sending; the domain is lower-case ASCII
 * with A-labels. Two addresses belong to the same subscriber if they have the same {@link #folded()} form.
 *
 * @param value the local part as typed, {@code @}, and the domain in lower case
 */
public record EmailAddress(String value) {

    /** The longest address, in octets (RFC 5321, 4.5.3.1.3): a path has at most 256, including the angle brackets. */
    public static final int MAX_LENGTH = 254;

    /**
     * The form of nearly all addresses, which needs no further validation: lower-case ASCII letters and digits, with
     * single dots, hyphens or, before the {@code @}, underscores between them. The domain has two or more labels that
     * begin with a letter, the last one of letters only. A text of another form may still be an address.
     */
    private static final Pattern PLAIN = Pattern.compile("(?=[^@]{1,64}@)[a-z0-9]+(?:[._-][a-z0-9]+)*+"
            + "@(?:(?=[a-z0-9-]{1,63}\\.)[a-z][a-z0-9]*(?:-[a-z0-9]+)*+\\.)++[a-z]{2,63}");

    /**
     * The longest local part, in octets (RFC 5321, 4.5.3.1.1). Even escaped, such an address fits a key of any storage.
     */
    private static final int MAX_LOCAL_OCTETS = 64;

    private static final String KELVIN_SIGN = "\u212A";

    private static final String ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\x{80}-\\x{10FFFF}-]+";

    /**
     * The local part: words separated by dots, or a quoted string in which a backslash may precede an ASCII character
     * (RFC 5321, 4.1.2; RFC 6531, 3.3). Comments and folding are not allowed, because an envelope has none.
     */
    private static final Pattern LOCAL_PART =
            Pattern.compile(ATOM + "(?:\\." + ATOM + ")*|\"(?:[^\"\\\\]|\\\\[\\x00-\\x7E])+\"");

    /**
     * The categories of invisible characters, and of those that reorder their surroundings: with them, two addresses
     * could look the same. An ASCII space is visible in the quotes that it needs.
     */
    private static final Pattern HIDDEN = Pattern.compile("[\\p{C}\\p{Z}&&[^ ]]");

    public EmailAddress {
        Assert.isTrue(value.length() <= MAX_LENGTH && value.indexOf('@') >= 1, "not an e-mail address");
    }

    /**
     * Returns the address if the text is one by RFC 5321 with the letters of RFC 6531, without a display name,
     * comments, a route or angle brackets. Its domain must have a dot and not be a number. Surrounding blanks are
     * dropped.
     */
    public static Optional<EmailAddress> parse(String text) {
        String typed = text.strip();
        return isPlain(typed) ? Optional.of(new EmailAddress(typed)) : parseStrictly(typed);
    }

    static boolean isPlain(String text) {
        return text.length() <= MAX_LENGTH && PLAIN.matcher(text).matches();
    }

    static Optional<EmailAddress> parseStrictly(String typed) {
        int at = typed.lastIndexOf('@');
        if (at < 1 || typed.length() > MAX_LENGTH || !isLocalPart(typed.substring(0, at))) {
            return Optional.empty();
        }
        return DomainName.ascii(typed.substring(at + 1))
                .filter(DomainName::isMailDomain)
                .map(domain -> typed.substring(0, at + 1) + domain)
                .filter(address -> address.getBytes(StandardCharsets.UTF_8).length <= MAX_LENGTH)
                .map(EmailAddress::new);
    }

    private static boolean isLocalPart(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length <= MAX_LOCAL_OCTETS
                && !HIDDEN.matcher(text).find()
                && LOCAL_PART.matcher(text).matches();
    }

    /**
     * Returns the addresses that a search may mean, the likeliest first: the address itself, its form in versions
     * before IDNA2008, and the text as an older version accepted it. For searches only; new subscribers use
     * {@link #parse}.
     */
    public static List<EmailAddress> candidates(String text) {
        Set<EmailAddress> typed = new LinkedHashSet<>();
        Optional<EmailAddress> parsed = parse(text);
        parsed.ifPresent(typed::add);
        parsed.flatMap(EmailAddress::before2008).ifPresent(typed::add);
        stored(text.strip()).ifPresent(typed::add);
        return List.copyOf(typed);
    }

    private Optional<EmailAddress> before2008() {
        String local = value.substring(0, value.lastIndexOf('@') + 1);
        return DomainName.before2008(domain()).flatMap(domain -> stored(local + domain));
    }

    /** Returns an address that is stored somewhere, even if {@link #parse} would no longer accept it. */
    public static Optional<EmailAddress> stored(String text) {
        boolean possible = text.length() <= MAX_LENGTH
                && text.indexOf('@') > 0
                && text.codePoints()
                        .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
        return possible ? Optional.of(new EmailAddress(text)) : Optional.empty();
    }

    /** Returns the form in which addresses are compared and stored in keys: all lower case. */
    public String folded() {
        return fold(value);
    }

    /**
     * Returns an address, or a part of one, in lower case. Only the Kelvin sign stays: its lower case is the ASCII
     * letter k, and the address with that letter may belong to another person.
     */
    public static String fold(String text) {
        return text.indexOf(KELVIN_SIGN) < 0
                ? text.toLowerCase(Locale.ROOT)
                : Stream.of(text.split(KELVIN_SIGN, -1))
                        .map(part -> part.toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining(KELVIN_SIGN));
    }

    /**
     * Returns whether the address contains letters outside ASCII, so that only servers with SMTPUTF8 (RFC 6531) accept
     * it.
     */
    public boolean needsSmtpUtf8() {
        return !DomainName.isAscii(value);
    }

    /**
     * Returns the address as shown to the holder of a link, such as {@code st******@*******.edu}: enough to recognise
     * one's own address, but never the whole local part. It keeps the first two characters, the {@code @} and
     * everything from the domain's first dot.
     */
    public String masked() {
        String local = value.substring(0, value.lastIndexOf('@'));
        String domain = domain();
        int shown = Math.min(local.startsWith("\"") ? 1 : 2, local.codePointCount(0, local.length()) - 1);
        int kept = local.offsetByCodePoints(0, shown);
        int dot = Math.max(0, domain.indexOf('.'));
        return local.substring(0, kept)
                + "*".repeat(local.length() - kept)
                + "@"
                + "*".repeat(dot)
                + domain.substring(dot);
    }

    /** Returns the part after the {@code @}. */
    public String domain() {
        return value.substring(value.lastIndexOf('@') + 1);
    }

    @Override
    public String toString() {
        return value;
    }
}
