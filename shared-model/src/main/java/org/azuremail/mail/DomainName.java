package org.azuremail.mail;

import com.ibm.icu.text.IDNA;
import java.net.IDN;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Names of hosts and of mail domains as DNS has them: ASCII in lower case, letters outside it as A-labels.
 *
 * <p>Converted by IDNA2008 as UTS #46 says, without its transitional rules: {@code straße.test} is not {@code strasse.test}.
 * Names of ASCII alone never load the tables for that.
 *
 * @see <a href="https://www.unicode.org/reports/tr46/">UTS #46</a>
 */
public final class DomainName {

    private static final Pattern MAIL_DOMAIN = Pattern.compile(
            "(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+" + "(?![0-9]+$)[a-z0-9][a-z0-9-]{0,61}[a-z0-9]");
    private static final String A_LABEL = "xn--";

    private DomainName() {}

    /** Loaded with the first name that needs it. */
    private static final class Uts46 {
        static final IDNA RULES = IDNA.getUTS46Instance(IDNA.NONTRANSITIONAL_TO_ASCII
                | IDNA.NONTRANSITIONAL_TO_UNICODE
                | IDNA.CHECK_BIDI
                | IDNA.CHECK_CONTEXTJ
                | IDNA.USE_STD3_RULES);
    }

    /**
     * The name in ASCII and lower case; empty when letters outside ASCII or an A-label in it are none of a domain's. A name
     * of ASCII is not looked at any closer.
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
     * The same name as versions before IDNA2008 wrote it; empty where that is the same.
     *
     * @param ascii of {@link #ascii}
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

    /** Returns whether mail can go there: two labels or more of letters, digits and inner hyphens, the last one no number. */
    static boolean isMailDomain(String ascii) {
        return MAIL_DOMAIN.matcher(ascii).matches();
    }

    static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 128);
    }
}
