package org.azuremail.web.account;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Which network a browser is in, as far as one customer has it for himself: an IPv4 address, or the 64 bits of IPv6 that every
 * customer is given whole (RFC 6177). An IPv4 address that is written as IPv6 is one of IPv4.
 */
final class ClientNetwork {

    private static final int PREFIX_BYTES = 8;
    private static final Pattern DOTTED = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

    private ClientNetwork() {}

    /** @param address as the container tells it: digits, never a name that would have to be looked up */
    static String of(String address) {
        int zone = address.indexOf('%');
        String plain = zone < 0 ? address : address.substring(0, zone);
        if (!plain.contains(":") && !DOTTED.matcher(plain).matches()) {
            return plain;
        }
        try {
            InetAddress parsed = InetAddress.getByName(plain);
            return parsed instanceof Inet6Address
                    ? HexFormat.of().formatHex(Arrays.copyOf(parsed.getAddress(), PREFIX_BYTES)) + "/64"
                    : parsed.getHostAddress();
        } catch (UnknownHostException notDigits) {
            return plain;
        }
    }
}
