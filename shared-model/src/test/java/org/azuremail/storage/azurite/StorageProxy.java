package org.azuremail.storage.azurite;

import java.util.EnumMap;
import java.util.Map;
import org.azuremail.storage.azurite.Azurite.Service;

/** A {@link TcpProxy} for each service of Azurite, so that tests can interrupt the connection. */
public final class StorageProxy implements AutoCloseable {

    private final Map<Service, TcpProxy> doors = new EnumMap<>(Service.class);

    private StorageProxy(Map<Service, Integer> ports) {
        ports.forEach((service, port) -> doors.put(service, TcpProxy.to(port)));
    }

    /** Returns a proxy for a running Azurite. */
    public static StorageProxy to(Azurite azurite) {
        Map<Service, Integer> ports = new EnumMap<>(Service.class);
        for (Service service : Service.values()) {
            ports.put(service, azurite.port(service));
        }
        return new StorageProxy(ports);
    }

    /** Returns a proxy for these ports of this machine. */
    static StorageProxy to(Map<Service, Integer> ports) {
        return new StorageProxy(ports);
    }

    /** Returns a connection string that leads through this proxy. */
    public String connectionString() {
        Map<Service, Integer> ports = new EnumMap<>(Service.class);
        doors.forEach((service, door) -> ports.put(service, door.port()));
        return Azurite.connectionString(ports);
    }

    int port(Service service) {
        TcpProxy door = doors.get(service);
        return door == null ? 0 : door.port();
    }

    /** Breaks all connections, both open and new ones, from now on. */
    public void breakOff() {
        doors.values().forEach(TcpProxy::breakOff);
    }

    /** Accepts connections from now on, but passes no data in either direction. */
    public void hang() {
        doors.values().forEach(TcpProxy::hang);
    }

    /** Passes all data again, beginning with the data that was held back. */
    public void pass() {
        doors.values().forEach(TcpProxy::pass);
    }

    @Override
    public void close() {
        doors.values().forEach(TcpProxy::close);
    }
}
