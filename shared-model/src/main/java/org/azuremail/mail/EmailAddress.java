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

/**
 * An e-mail address that a real server would take, as it was typed: the local part is kept for sending, the domain is
 * lower-case with A-labels. Two addresses are the same subscriber when {@link #folded()} is equal.
 *
 * @param value local part as typed, {@code @}, domain in lower case
 */
public record EmailAddress(String value) {

    /** RFC 5321, 4.5.3.1.3: a path has at most 256 octets, angle brackets included. */
    public static final int MAX_LENGTH = 254;

    /**
     * The form that nearly all addresses have, of which no validator has anything to say: small letters and digits of ASCII, and
     * between two of them one dot, hyphen or, before the {@code @}, underscore. In the domain each label begins with a letter, there
     * are two or more, and the last has only letters. A text of another form may well be an address.
     */
    private static final Pattern PLAIN = Pattern.compile("(?=[^@]{1,64}@)[a-z0-9]+(?:[._-][a-z0-9]+)*+"
            + "@(?:(?=[a-z0-9-]{1,63}\\.)[a-z][a-z0-9]*(?:-[a-z0-9]+)*+\\.)++[a-z]{2,63}");

    /** RFC 5321, 4.5.3.1.1, counted in octets: escaped, such an address is a key of any storage. */
    private static final int MAX_LOCAL_OCTETS = 64;

    private static final String KELVIN_SIGN = "\u212A";

    private static final String ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\x{80}-\\x{10FFFF}-]+";

    /**
     * Before the {@code @}: words with dots between them, or a quoted string in which a backslash stands before a character of ASCII
     * (RFC 5321, 4.1.2; RFC 6531, 3.3). No comments and no folding: an envelope has none.
     */
    private static final Pattern LOCAL_PART =
            Pattern.compile(ATOM + "(?:\\." + ATOM + ")*|\"(?:[^\"\\\\]|\\\\[\\x00-\\x7E])+\"");

    public EmailAddress {
        if (value.length() > MAX_LENGTH || value.indexOf('@') < 1) {
            throw new IllegalArgumentException("not an e-mail address");
        }
    }

    /**
     * The address, when the text is one of RFC 5321 with the letters of RFC 6531: without display name, comments, route and
     * angle brackets, with a domain that has a dot and is no number. Surrounding blanks are dropped.
     */
    public static Optional<EmailAddress> parse(String text) {
        String typed = text.strip();
        return isPlain(typed) ? Optional.of(new EmailAddress(typed)) : parseClosely(typed);
    }

    static boolean isPlain(String text) {
        return text.length() <= MAX_LENGTH && PLAIN.matcher(text).matches();
    }

    static Optional<EmailAddress> parseClosely(String typed) {
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
                && text.codePoints().allMatch(EmailAddress::isAsciiOrLetter)
                && LOCAL_PART.matcher(text).matches();
    }

    /** Nothing that is not seen, or that turns what is around it: with it two addresses look like one. */
    private static boolean isAsciiOrLetter(int c) {
        return c < 128
                ? c >= ' ' && c != 127
                : switch (Character.getType(c)) {
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.SURROGATE,
                            Character.PRIVATE_USE,
                            Character.UNASSIGNED,
                            Character.SPACE_SEPARATOR,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR -> false;
                    default -> true;
                };
    }

    /**
     * The addresses that somebody may mean who looks for one, the likeliest first: the address, the same as versions before
     * IDNA2008 stored it, and what an older version took for one. For looking up only: who joins joins with
     * {@link #parse}.
     */
    public static List<EmailAddress> meant(String text) {
        Set<EmailAddress> meant = new LinkedHashSet<>();
        Optional<EmailAddress> parsed = parse(text);
        parsed.ifPresent(meant::add);
        parsed.flatMap(EmailAddress::before2008).ifPresent(meant::add);
        stored(text.strip()).ifPresent(meant::add);
        return List.copyOf(meant);
    }

    private Optional<EmailAddress> before2008() {
        String local = value.substring(0, value.lastIndexOf('@') + 1);
        return DomainName.before2008(domain()).flatMap(domain -> stored(local + domain));
    }

    /** An address as it stands somewhere, also one that {@link #parse} took once and takes no more. */
    public static Optional<EmailAddress> stored(String text) {
        boolean possible = text.length() <= MAX_LENGTH
                && text.indexOf('@') > 0
                && text.codePoints()
                        .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
        return possible ? Optional.of(new EmailAddress(text)) : Optional.empty();
    }

    /** The form by which addresses are compared and stored in keys: all lower case. */
    public String folded() {
        return fold(value);
    }

    /**
     * An address, or a part of one, in lower case. Only the Kelvin sign stays as it is: its lower case is the letter k of ASCII,
     * and an address with that letter may be somebody else's.
     */
    public static String fold(String text) {
        return text.indexOf(KELVIN_SIGN) < 0
                ? text.toLowerCase(Locale.ROOT)
                : Stream.of(text.split(KELVIN_SIGN, -1))
                        .map(part -> part.toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining(KELVIN_SIGN));
    }

    /**
     * Returns whether the local part holds letters outside ASCII: only servers that offer SMTPUTF8 (RFC 6531) take it.
     */
    public boolean needsSmtpUtf8() {
        return !DomainName.isAscii(value);
    }

    /**
     * The address as it is shown to the holder of a link, as {@code st******@*******.edu}: enough to recognise one's own, but never a
     * whole local part. It keeps the first two characters, the {@code @} and everything from the domain's first dot.
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

    /** The part after the {@code @}. */
    public String domain() {
        return value.substring(value.lastIndexOf('@') + 1);
    }

    @Override
    public String toString() {
        return value;
    }
}
