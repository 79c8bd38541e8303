package org.azuremail.linkcheck;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.azuremail.mail.DomainName;
import org.azuremail.outbound.PublicAddresses;

/** Reads the addresses of links as browsers do, which accept more than the standard allows. */
final class LinkAddress {

    static final int MAX_LENGTH = 2_000;

    private static final Pattern PARTS =
            Pattern.compile("(https?://)([^/?#:\\[]*)([^#]*).*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private static final Pattern BREAKS = Pattern.compile("[\\t\\r\\n]");

    private static final Pattern NOT_ALLOWED = Pattern.compile("%(?![0-9a-fA-F]{2})|[^\\x21-\\x7e]|[\"<>\\\\^`{|}]");

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private LinkAddress() {}

    /** Returns whether an address is requested over HTTP, whatever its other parts are. */
    static boolean isHttp(String address) {
        return address.regionMatches(true, 0, "http://", 0, 7) || address.regionMatches(true, 0, "https://", 0, 8);
    }

    /** Returns the address to request, without its fragment; empty if it is invalid. */
    static Optional<URI> parse(String address) {
        Matcher parts = PARTS.matcher(BREAKS.matcher(address).replaceAll(""));
        return parts.matches()
                ? DomainName.ascii(parts.group(2))
                        .flatMap(host -> PublicAddresses.parse(parts.group(1) + host + encoded(parts.group(3))))
                : Optional.empty();
    }

    /** Encodes the characters that an address may not contain. */
    static String encoded(String text) {
        return NOT_ALLOWED.matcher(text).replaceAll(found -> percent(found.group()));
    }

    private static String percent(String character) {
        StringBuilder encoded = new StringBuilder();
        for (byte one : character.getBytes(StandardCharsets.UTF_8)) {
            encoded.append('%').append(HEX.toHexDigits(one));
        }
        return encoded.toString();
    }
}
