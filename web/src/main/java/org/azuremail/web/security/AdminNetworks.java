package org.azuremail.web.security;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.azuremail.web.account.ClientNetwork;
import org.springframework.security.util.matcher.InetAddressMatcher;
import org.springframework.security.util.matcher.InetAddressMatchers;

/** The networks from which admin pages and admin keys are accepted. An empty list accepts all networks. */
record AdminNetworks(List<Network> networks) {

    /**
     * A network of one IP version. The library compares only bits: without a check of the version, 10.0.0.0/8 would
     * contain IPv6 addresses.
     */
    private record Network(InetAddress address, InetAddressMatcher bits) {

        boolean contains(InetAddress caller) {
            return caller.getClass() == address.getClass() && bits.matches(caller);
        }
    }

    private static final Pattern NETWORK = Pattern.compile("([0-9a-fA-F.:]+)(?:/([0-9]{1,3}))?");
    private static final int BITS_OF_IPV4 = 32;
    private static final int BITS_OF_IPV6 = 128;

    static AdminNetworks of(List<String> texts) {
        return new AdminNetworks(texts.stream().map(AdminNetworks::network).toList());
    }

    /**
     * @param address the caller's address as the container reports it; a text that is not an address is in no network
     */
    boolean contain(String address) {
        return networks.isEmpty()
                || ClientNetwork.withoutPort(address)
                        .filter(caller -> networks.stream().anyMatch(network -> network.contains(caller)))
                        .isPresent();
    }

    /** Parses a network or an address. The library would accept more: incomplete addresses and negative lengths. */
    private static Network network(String text) {
        Matcher parts = NETWORK.matcher(text.strip());
        Optional<InetAddress> address = parts.matches() ? ClientNetwork.address(parts.group(1)) : Optional.empty();
        boolean mapped = address.isPresent() && address.get() instanceof Inet4Address && text.contains(":");
        if (address.isEmpty() || (parts.group(2) != null && (mapped || !isLength(parts.group(2), address.get())))) {
            throw new IllegalArgumentException("azuremail.admin.allow-from: \"" + text + "\" is neither a network such"
                    + " as 192.0.2.0/24 or 2001:db8::/32 nor an address; leave it empty to accept all networks");
        }
        return new Network(address.get(), InetAddressMatchers.fromIpAddress(parts.group()));
    }

    private static boolean isLength(String bits, InetAddress address) {
        return Integer.parseInt(bits) <= (address instanceof Inet4Address ? BITS_OF_IPV4 : BITS_OF_IPV6);
    }
}
