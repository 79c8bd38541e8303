package org.azuremail.web.account;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hc.core5.net.InetAddressUtils;

/**
 * The network of a browser, as far as it belongs to one customer: an IPv4 address, or the 64 bits of an IPv6 network
 * that providers assign to a customer (RFC 6177). An IPv4 address that is written as IPv6 counts as IPv4.
 */
public final class ClientNetwork {

    private static final int PREFIX_BYTES = 8;

    private static final Pattern WITH_PORT = Pattern.compile("([0-9.]+|\\[[^\\]]+]):[0-9]{1,5}");

    private ClientNetwork() {}

    /**
     * Returns the network of an address. Some proxies add the port to it, which differs for each connection and would
     * make every connection a network of its own.
     *
     * @param address the address as the container reports it: digits, never a name
     */
    public static String of(String address) {
        return withoutPort(address)
                .map(parsed -> parsed instanceof Inet6Address
                        ? HexFormat.of().formatHex(Arrays.copyOf(parsed.getAddress(), PREFIX_BYTES)) + "/64"
                        : parsed.getHostAddress())
                .orElse(address);
    }

    /**
     * Returns the address of a caller, without the port that some proxies add.
     *
     * @see #address
     */
    public static Optional<InetAddress> withoutPort(String text) {
        Matcher withPort = WITH_PORT.matcher(text);
        return address(withPort.matches() ? withPort.group(1) : text);
    }

    /**
     * Returns the address without its zone. An IPv4 address that is written as IPv6 counts as IPv4.
     *
     * @return empty for a text that is not an address; names are never looked up
     */
    public static Optional<InetAddress> address(String text) {
        int zone = text.indexOf('%');
        String plain = zone < 0 ? text : text.substring(0, zone);
        if (!plain.contains(":") && !InetAddressUtils.isIPv4(plain)) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByName(plain));
        } catch (UnknownHostException notDigits) {
            return Optional.empty();
        }
    }
}
