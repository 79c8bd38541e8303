package org.azuremail.storage.azurite;

import java.util.EnumMap;
import java.util.Map;
import org.azuremail.storage.azurite.Azurite.Service;

/** The way to Azurite, for tests that close it for a while: a {@link TcpProxy} for each of its services. */
public final class StorageProxy implements AutoCloseable {

    private final Map<Service, TcpProxy> doors = new EnumMap<>(Service.class);

    private StorageProxy(Map<Service, Integer> ports) {
        ports.forEach((service, port) -> doors.put(service, TcpProxy.to(port)));
    }

    /** To a running Azurite. */
    public static StorageProxy to(Azurite azurite) {
        Map<Service, Integer> ports = new EnumMap<>(Service.class);
        for (Service service : Service.values()) {
            ports.put(service, azurite.port(service));
        }
        return new StorageProxy(ports);
    }

    /** To these ports of this machine. */
    static StorageProxy to(Map<Service, Integer> ports) {
        return new StorageProxy(ports);
    }

    /** A connection string by way of this proxy. */
    public String connectionString() {
        Map<Service, Integer> ports = new EnumMap<>(Service.class);
        doors.forEach((service, door) -> ports.put(service, door.port()));
        return Azurite.connectionString(ports);
    }

    int port(Service service) {
        TcpProxy door = doors.get(service);
        return door == null ? 0 : door.port();
    }

    /** Closes all connections, open and future ones. */
    public void breakOff() {
        doors.values().forEach(TcpProxy::breakOff);
    }

    /** Accepts connections from now on but forwards nothing in either direction. */
    public void hang() {
        doors.values().forEach(TcpProxy::hang);
    }

    /** Everything comes through again, what was held back first. */
    public void pass() {
        doors.values().forEach(TcpProxy::pass);
    }

    @Override
    public void close() {
        doors.values().forEach(TcpProxy::close);
    }
}
