package org.azuremail.work.signal;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.stream.Stream;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The address at which a process listens to the signals of others.
 *
 * @param port the port to listen on; 0 takes any that is free
 * @param bind the address to listen on; the default is all addresses, but only the loopback address on the embedded
 *     storage, which has one machine
 * @param host the name or address under which others reach the process; the default is {@code bind}, or the
 *     machine's address in its network
 * @param greetEvery how often the process checks whether signals reach it; a second to an hour
 */
public record SignalSettings(
        @DefaultValue("0") @Min(0) @Max(65_535) int port,
        @Nullable String bind,
        @Nullable String host,

        @DefaultValue("5s") @DurationMin(seconds = 1) @DurationMax(hours = 1)
        Duration greetEvery) {

    /** An address that exists in no network (RFC 5737). */
    private static final String ELSEWHERE = "192.0.2.1";

    public SignalSettings complete(boolean oneMachine) {
        String bound = bind != null ? bind : oneMachine ? "127.0.0.1" : "0.0.0.0";
        String reached = host != null ? host : isAny(bound) ? address() : bound;
        return new SignalSettings(port, bound, reached, greetEvery);
    }

    InetSocketAddress listensAt() {
        return new InetSocketAddress(bind == null ? "127.0.0.1" : bind, port);
    }

    String advertised(int boundPort) {
        String reached = host == null ? "127.0.0.1" : host;
        return (reached.indexOf(':') < 0 ? reached : "[" + reached + "]") + ":" + boundPort;
    }

    private static boolean isAny(String address) {
        return address.equals("0.0.0.0") || address.equals("::");
    }

    private static String address() {
        try {
            Stream<InetAddress> networks = Collections.list(NetworkInterface.getNetworkInterfaces()).stream()
                    .flatMap(SignalSettings::addresses);
            return best(routed(), networks)
                    .or(SignalSettings::localHost)
                    .orElse(InetAddress.getLoopbackAddress())
                    .getHostAddress();
        } catch (SocketException e) {
            return InetAddress.getLoopbackAddress().getHostAddress();
        }
    }

    /**
     * Returns an address in a private network, if the machine has one. The one that leads to other networks is
     * preferred, because a machine may have networks of its own, for example for containers.
     */
    static Optional<InetAddress> best(Optional<InetAddress> routed, Stream<InetAddress> all) {
        return Stream.concat(routed.stream(), all)
                .filter(InetAddress::isSiteLocalAddress)
                .findFirst()
                .or(() -> routed);
    }

    /** Returns the address from which other networks are reached; empty if none is. Sends nothing. */
    private static Optional<InetAddress> routed() {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(ELSEWHERE, 9));
            return Optional.of(socket.getLocalAddress());
        } catch (SocketException | UncheckedIOException noRoute) {
            return Optional.empty();
        }
    }

    private static Stream<InetAddress> addresses(NetworkInterface network) {
        try {
            boolean usable = network.isUp() && !network.isLoopback() && !network.isVirtual();
            return usable ? network.inetAddresses() : Stream.empty();
        } catch (SocketException e) {
            return Stream.empty();
        }
    }

    private static Optional<InetAddress> localHost() {
        try {
            return Optional.of(InetAddress.getLocalHost());
        } catch (java.net.UnknownHostException e) {
            return Optional.empty();
        }
    }
}
