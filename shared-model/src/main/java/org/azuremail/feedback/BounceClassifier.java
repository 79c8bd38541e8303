package org.azuremail.feedback;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.azuremail.delivery.range.Feedback.Kind;

/**
 * Classifies a failed delivery by its enhanced status code or, if the code is missing or vague, by words that servers
 * are known to use. An uncertain bounce is soft, because a wrong guess must not suppress an existing address.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc3463">RFC 3463, enhanced status codes</a>
 */
final class BounceClassifier {

    private static final Pattern ENHANCED = Pattern.compile("(?<![\\d.])([245]\\.\\d{1,3}\\.\\d{1,3})(?![\\d.])");

    /** A reply code in a place where servers write one, so that house and telephone numbers do not match. */
    private static final Pattern REPLY = Pattern.compile(
            "(?:^[^\\w\\n]*|[:;'\"(\\[#] ?|\\bsaid:? |\\berror |\\bcode )([45][0-5]\\d)(?![\\d.])(?=[ :-])",
            Pattern.MULTILINE);

    /**
     * Codes for an address or domain that does not exist or no longer accepts email; 5.4.1 is Exchange Online's code
     * for it.
     */
    private static final Pattern HARD_CODES = Pattern.compile("5\\.1\\.(1|2|3|4|6|9|10)|5\\.2\\.1|5\\.4\\.(1|4|310)");

    /** Codes by which a server says no more than "undefined". */
    private static final Pattern VAGUE = Pattern.compile("5\\.(0|2|3|5)\\.0|5\\.7\\.1|5\\.1\\.0|5\\.5\\.1");

    private static final Pattern UNKNOWN_MAILBOX = Pattern.compile(
            "(user|recipient|mailbox|address|account|email)[^;:\\n]{0,60}?(unknown|not (found|exist|listed|available|valid)|"
                    + "does(n.t| not) (exist|have)|disabled|inactive|no longer|invalid|not our customer)"
                    + "|(unknown|no such|invalid|not a (known|valid)|no|bad destination) "
                    + "(local )?(user|recipient|mailbox|address|account|person)|mailbox unavailable"
                    + "|host or domain name not found|(host|domain)[^.;]{0,40}not found|no mailbox here by that name"
                    + "|unrouteable address|nxdomain|couldn.t find any host");

    private static final Pattern POLICY = Pattern.compile(
            "spam|block|blacklist|reputation|policy|denied|dmarc|\\bspf\\b|dkim|virus|\\brate\\b|relay(ing)? (is )?not"
                    + "|not authori[sz]ed|\\bfull\\b|quota|too (large|big|many)|size limit|exceed");

    /**
     * Words for a refusal of the sender's address, host or email, or of all emails for a while. The recipient may well
     * exist.
     */
    private static final Pattern NOT_THE_RECIPIENT = Pattern.compile(POLICY.pattern()
            + "|sender|mail from|from address|envelope from|verif|authenticat|black list|(?<!not )listed|malware"
            + "|not (allowed|permitted|accepted)|prohibit|administrative|content|country|\\bips?\\b|reverse dns"
            + "|\\b(helo|ehlo|tls|ptr)\\b|gr[ae]y.?list|temporar|later|too (quickly|often)|additional messages");

    private BounceClassifier() {}

    static Optional<String> findEnhancedCode(String text) {
        return ENHANCED.matcher(text).results().map(found -> found.group(1)).findFirst();
    }

    static Optional<String> reply(String text) {
        return REPLY.matcher(text).results().map(found -> found.group(1)).findFirst();
    }

    /** Returns the more specific code: a vague one is replaced by a code in the server's words, if there is one. */
    static String best(String status, String diagnostic) {
        Optional<String> inWords = findEnhancedCode(diagnostic);
        return vague(status) ? inWords.orElse(status) : status;
    }

    private static boolean vague(String code) {
        return code.isEmpty() || VAGUE.matcher(code).matches() || code.endsWith(".0.0");
    }

    /** Returns the line of a letter that gives the reason; empty if no line does. */
    static String relevantLine(String letter) {
        List<String> lines = letter.lines().map(String::strip).toList();
        return Stream.<Predicate<String>>of(
                        line -> findEnhancedCode(line).isPresent(),
                        line -> reply(line + " ").isPresent(),
                        line -> UNKNOWN_MAILBOX
                                .matcher(line.toLowerCase(Locale.ROOT))
                                .find(),
                        line -> POLICY.matcher(line.toLowerCase(Locale.ROOT)).find())
                .flatMap(tells -> lines.stream().filter(tells).limit(1))
                .findFirst()
                .orElse("");
    }

    /**
     * Returns the kind of a failure that the reporting server considers final.
     *
     * @param status the enhanced status code; may be empty
     * @param diagnostic the server's words, including the reply code
     */
    static Kind classify(String status, String diagnostic) {
        String code = best(status, diagnostic);
        String words = diagnostic.toLowerCase(Locale.ROOT);
        boolean aboutUs = NOT_THE_RECIPIENT.matcher(words).find();
        boolean hard;
        if (code.startsWith("4.")) {
            hard = false;
        } else if (!vague(code)) {
            hard = HARD_CODES.matcher(code).matches() && !(code.equals("5.2.1") && aboutUs);
        } else {
            boolean nobody =
                    code.equals("5.1.0") || UNKNOWN_MAILBOX.matcher(words).find();
            hard = nobody && !aboutUs && !reply(diagnostic + " ").orElse("").startsWith("4");
        }
        return hard ? Kind.HARD_BOUNCE : Kind.SOFT_BOUNCE;
    }
}
