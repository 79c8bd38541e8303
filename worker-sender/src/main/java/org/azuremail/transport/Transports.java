package org.azuremail.transport;

import java.util.LinkedHashMap;
import java.util.Map;
import org.azuremail.mail.MailProperties;
import org.azuremail.mail.MailProperties.Configured;
import org.azuremail.mail.MailTransport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All transports of a process, by the names that the settings give them. */
public final class Transports implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Transports.class);

    private final Map<String, MailTransport> byName = new LinkedHashMap<>();

    /** Makes a transport of its settings. */
    @FunctionalInterface
    interface Maker {
        MailTransport make(Configured configured);
    }

    Transports(MailProperties mail, Maker maker) {
        mail.all().forEach(one -> byName.put(one.name(), maker.make(one)));
    }

    /** @throws IllegalArgumentException when there is none of this name */
    public MailTransport of(String name) {
        MailTransport transport = byName.get(name);
        if (transport == null) {
            throw new IllegalArgumentException("no transport " + name);
        }
        return transport;
    }

    @Override
    public void close() {
        byName.values().forEach(Transports::close);
    }

    private static void close(MailTransport transport) {
        if (transport instanceof AutoCloseable open) {
            try {
                open.close();
            } catch (Exception e) {
                LOG.debug("a transport did not close", e);
            }
        }
    }
}
