package org.azuremail.outbound;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.core5.net.InetAddressUtils;
import org.azuremail.mail.DomainName;

/**
 * Decides to which hosts requests may go. The connection uses the very addresses that were checked, so a name that
 * resolves differently a moment later gains nothing. A name with an address that is not public is refused as a whole.
 */
public final class PublicAddresses implements DnsResolver {

    public interface HostResolver {
        InetAddress[] lookUp(String host) throws UnknownHostException;
    }

    /** Thrown for a name whose addresses are not all public. */
    public static final class NotPublic extends UnknownHostException {
        NotPublic(String host) {
            super(host);
        }
    }

    private static final int MAX_LENGTH = 2_000;

    /** Texts that libraries may take for an IPv4 address, in decimal, octal or hexadecimal, of one to four parts. */
    private static final Pattern LIKE_IPV4 = Pattern.compile("(.*\\.)?(0[xX][0-9a-fA-F]*|[0-9]+)\\.?");

    /**
     * Address blocks that are not public: the registry of special-purpose addresses (RFC 6890), multicast, reserved
     * blocks, and the address at which each machine in Azure reaches its host (WireServer).
     */
    private static final List<Block> SPECIAL_IPV4 = Stream.of(
                    ("0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24"
                                    + " 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3")
                            .split(" "))
            .map(Block::of)
            .toList();

    private static final Block GLOBAL_IPV6 = Block.of("2000::/3");

    /**
     * Blocks inside the global unicast range that lead to IPv4 addresses or nowhere: Teredo and its neighbours, 6to4,
     * documentation.
     */
    private static final List<Block> SPECIAL_IPV6 = Stream.of("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
            .map(Block::of)
            .toList();

    private final HostResolver resolver;
    private final Predicate<InetAddress> allowed;

    public PublicAddresses(HostResolver resolver, boolean allowPrivate) {
        this(resolver, address -> allowPrivate || isPublic(address));
    }

    public PublicAddresses(HostResolver resolver, Predicate<InetAddress> allowed) {
        this.resolver = resolver;
        this.allowed = allowed;
    }

    private record Block(byte[] start, int bits) {

        static Block of(String text) {
            int slash = text.indexOf('/');
            try {
                return new Block(
                        InetAddress.getByName(text.substring(0, slash)).getAddress(),
                        Integer.parseInt(text.substring(slash + 1)));
            } catch (UnknownHostException e) {
                throw new IllegalStateException(e);
            }
        }

        boolean holds(byte[] address) {
            for (int bit = 0; bit < bits; bit++) {
                int mask = 0x80 >> bit % 8;
                if ((address[bit / 8] & mask) != (start[bit / 8] & mask)) {
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * Parses an address: http or https, a host in its usual spelling, no user name. Empty if it is invalid.
     */
    public static Optional<URI> parse(String text) {
        try {
            URI uri = new URI(text.strip());
            String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
            String host = uri.getHost();
            boolean fits = text.length() <= MAX_LENGTH
                    && (scheme.equals("http") || scheme.equals("https"))
                    && host != null
                    && uri.getRawUserInfo() == null
                    && uri.getPort() <= 65_535
                    && (!LIKE_IPV4.matcher(host).matches() || InetAddressUtils.isIPv4(host));
            return fits ? Optional.of(uri) : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        // The library hands over the letters for which an A-label stands, and DNS knows only A-labels.
        InetAddress[] addresses = resolver.lookUp(DomainName.ascii(host).orElse(host));
        if (!Stream.of(addresses).allMatch(allowed)) {
            throw new NotPublic(host);
        }
        return addresses;
    }

    public static boolean isPublic(InetAddress address) {
        byte[] bytes = address.getAddress();
        return address instanceof Inet4Address
                ? SPECIAL_IPV4.stream().noneMatch(block -> block.holds(bytes))
                : GLOBAL_IPV6.holds(bytes) && SPECIAL_IPV6.stream().noneMatch(block -> block.holds(bytes));
    }

    @Override
    public String resolveCanonicalHostname(String host) {
        return host;
    }
}
