package org.azuremail.web.account;

import com.nulabinc.zxcvbn.Zxcvbn;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.codec.digest.DigestUtils;
import org.azuremail.mail.EmailAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/**
 * Checks and hashes passwords. bcrypt reads only the first 72 bytes and stops at a zero byte. It therefore gets the
 * Base64 of the password's SHA-256, so that every character of a long password counts.
 */
final class Passwords {

    static final int MIN_LENGTH = 12;
    static final int MAX_LENGTH = 256;

    /** The lowest score accepted, on zxcvbn's scale of 0 to 4: more than 10⁸ guesses. */
    private static final int LOWEST_SCORE = 3;

    /** The most characters of which the strength is estimated: the estimate takes seconds for long texts. */
    private static final int MAX_ESTIMATED_LENGTH = 32;

    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]+");

    private static final Pattern SPACE = Pattern.compile("\\p{Zs}");

    private static final String SCHEME = "sha256-bcrypt:";

    private final BCryptPasswordEncoder bcrypt;
    private final String dummyHash;

    Passwords(int strength) {
        bcrypt = new BCryptPasswordEncoder(strength);
        dummyHash = hash("nobody has this password");
    }

    /** Returns the code of the fault of a new password; empty if it may be used. */
    static Optional<String> problem(String password, @Nullable EmailAddress owner) {
        if (password.length() < MIN_LENGTH) {
            return Optional.of("error.password.short");
        }
        if (password.length() > MAX_LENGTH) {
            return Optional.of("error.password.long");
        }
        return guessable(password, owner) ? Optional.of("error.password.easy") : Optional.empty();
    }

    /**
     * Returns whether the password is common, or consists of common parts: words, names, dates, rows of keys, repeats,
     * the owner's address, and words of this service. The word lists take 12 MB and are read each time, because people
     * choose passwords rarely.
     */
    private static boolean guessable(String password, @Nullable EmailAddress owner) {
        String normal = Normalizer.normalize(password, Normalizer.Form.NFKC);
        String beginning = normal.substring(0, Math.min(normal.length(), MAX_ESTIMATED_LENGTH));
        boolean holdsAddress = owner != null && normal.toLowerCase(Locale.ROOT).contains(owner.folded());
        return holdsAddress || new Zxcvbn().measure(beginning, known(owner)).getScore() < LOWEST_SCORE;
    }

    private static List<String> known(@Nullable EmailAddress owner) {
        List<String> known = new ArrayList<>(List.of("azuremail"));
        if (owner != null) {
            String address = owner.folded();
            known.add(address);
            known.add(address.substring(0, address.lastIndexOf('@')));
            WORD.matcher(address).results().map(MatchResult::group).forEach(known::add);
        }
        return known;
    }

    String hash(String password) {
        return SCHEME + bcrypt.encode(shortened(prepared(password)));
    }

    /** Returns whether the password is right. Earlier versions hashed it as it was typed. */
    boolean matches(String password, String hash) {
        return hash.startsWith(SCHEME)
                && Stream.of(prepared(password), password)
                        .distinct()
                        .anyMatch(form -> bcrypt.matches(shortened(form), hash.substring(SCHEME.length())));
    }

    /**
     * Returns the form in which passwords are compared (RFC 8265, 4.2.2): keyboards and clipboards write the same
     * letter as one character or as several, and a space in several ways.
     */
    private static String prepared(String password) {
        return SPACE.matcher(Normalizer.normalize(password, Normalizer.Form.NFC))
                .replaceAll(" ");
    }

    /** Takes as long as a real check, so that the time of an answer does not reveal which accounts exist. */
    void simulateCheck(String password) {
        matches(password, dummyHash);
    }

    private static String shortened(String password) {
        return Base64.getEncoder().encodeToString(DigestUtils.sha256(password));
    }
}
