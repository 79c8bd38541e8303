package org.azuremail.mail;

import com.ibm.icu.text.IDNA;
import java.net.IDN;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Names of hosts and mail domains as in DNS: lower-case ASCII, with A-labels for other letters.
 *
 * <p>They are converted by IDNA2008 according to UTS #46 without its transitional rules: {@code straße.test} differs
 * from {@code strasse.test}. Names of plain ASCII do not load the tables for the conversion.
 *
 * @see <a href="https://www.unicode.org/reports/tr46/">UTS #46</a>
 */
public final class DomainName {

    private static final Pattern MAIL_DOMAIN = Pattern.compile(
            "(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+" + "(?![0-9]+$)[a-z0-9][a-z0-9-]{0,61}[a-z0-9]");
    private static final String A_LABEL = "xn--";

    private DomainName() {}

    /** The rules, loaded with the first name that needs them. */
    private static final class Uts46 {
        static final IDNA RULES = IDNA.getUTS46Instance(IDNA.NONTRANSITIONAL_TO_ASCII
                | IDNA.NONTRANSITIONAL_TO_UNICODE
                | IDNA.CHECK_BIDI
                | IDNA.CHECK_CONTEXTJ
                | IDNA.USE_STD3_RULES);
    }

    /**
     * Returns the name in lower-case ASCII; empty if its letters outside ASCII or its A-labels are invalid. A name of
     * plain ASCII is not checked.
     */
    public static Optional<String> ascii(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (isAscii(name) && !lower.contains(A_LABEL)) {
            return Optional.of(lower);
        }
        IDNA.Info info = new IDNA.Info();
        StringBuilder ascii = Uts46.RULES.nameToASCII(name, new StringBuilder(), info);
        return info.hasErrors() ? Optional.empty() : Optional.of(ascii.toString());
    }

    /**
     * Returns the name as written by versions before IDNA2008; empty if that is the same.
     *
     * @param ascii a name returned by {@link #ascii}
     */
    static Optional<String> before2008(String ascii) {
        if (!ascii.contains(A_LABEL)) {
            return Optional.empty();
        }
        String unicode = Uts46.RULES
                .nameToUnicode(ascii, new StringBuilder(), new IDNA.Info())
                .toString();
        try {
            String former = IDN.toASCII(unicode, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
            return former.equals(ascii) ? Optional.empty() : Optional.of(former);
        } catch (IllegalArgumentException wasNoName) {
            return Optional.empty();
        }
    }

    /**
     * Returns whether email can be sent to this domain: it has at least two labels of letters, digits and inner
     * hyphens, and the last one is not a number.
     */
    static boolean isMailDomain(String ascii) {
        return MAIL_DOMAIN.matcher(ascii).matches();
    }

    static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 128);
    }
}
