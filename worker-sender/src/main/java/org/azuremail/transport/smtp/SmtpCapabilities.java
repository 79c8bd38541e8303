package org.azuremail.transport.smtp;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The extensions that a server offers in its answer to EHLO.
 *
 * @param pipelining whether it takes several commands at once (RFC 2920)
 * @param utf8 whether it takes addresses with letters outside ASCII (RFC 6531)
 * @param starttls whether the connection can be encrypted
 * @param mechanisms the ways to sign in, in upper case
 * @param largest the largest email that it takes, in bytes (RFC 1870); {@link Long#MAX_VALUE} when it does not say
 */
record SmtpCapabilities(boolean pipelining, boolean utf8, boolean starttls, Set<String> mechanisms, long largest) {

    /** The capabilities of a server that does not support EHLO. */
    static final SmtpCapabilities NONE = new SmtpCapabilities(false, false, false, Set.of(), Long.MAX_VALUE);

    SmtpCapabilities {
        mechanisms = Set.copyOf(mechanisms);
    }

    /** @param lines of the answer to EHLO, without codes; the first is a greeting */
    static SmtpCapabilities of(List<String> lines) {
        boolean pipelining = false;
        boolean utf8 = false;
        boolean starttls = false;
        Set<String> mechanisms = new HashSet<>();
        long largest = Long.MAX_VALUE;
        for (String line : lines.subList(1, lines.size())) {
            // Some old servers send AUTH=LOGIN.
            String[] words = line.strip().toUpperCase(Locale.ROOT).split("[ =]+");
            switch (words.length == 0 ? "" : words[0]) {
                case "PIPELINING" -> pipelining = true;
                case "SMTPUTF8" -> utf8 = true;
                case "STARTTLS" -> starttls = true;
                case "AUTH" -> mechanisms.addAll(Arrays.asList(words).subList(1, words.length));
                case "SIZE" -> largest = words.length > 1 ? size(words[1]) : largest;
                default -> {}
            }
        }
        return new SmtpCapabilities(pipelining, utf8, starttls, mechanisms, largest);
    }

    /** Returns the size limit; 0 means that the server has no fixed limit. */
    private static long size(String number) {
        long size = number.matches("\\d{1,18}") ? Long.parseLong(number) : 0;
        return size == 0 ? Long.MAX_VALUE : size;
    }
}
