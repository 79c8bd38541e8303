package org.azuremail.transport;

import jakarta.validation.Validation;
import jakarta.validation.ValidatorFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import org.azuremail.mail.MailProperties;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.TransportKind;
import org.azuremail.mail.TransportKinds;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.validation.ValidationBindHandler;
import org.springframework.core.env.Environment;
import org.springframework.validation.beanvalidation.SpringValidatorAdapter;

/** All transports of a process, by the names that the settings give them. */
public final class Transports implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Transports.class);

    private final Map<String, MailTransport> byName = new LinkedHashMap<>();

    Transports(MailProperties mail, TransportKinds kinds, Environment environment) {
        mail.all().forEach(one -> byName.put(one.name(), open(kinds.of(one), mail.prefix(one), environment)));
    }

    /** Its settings are checked as all settings are. */
    private static <P> MailTransport open(TransportKind<P> kind, String prefix, Environment environment) {
        try (ValidatorFactory checks = Validation.buildDefaultValidatorFactory()) {
            ValidationBindHandler checked =
                    new ValidationBindHandler(new SpringValidatorAdapter(checks.getValidator()));
            Bindable<P> settings = Bindable.of(kind.settings());
            return kind.open().apply(Binder.get(environment).bindOrCreate(prefix + kind.name(), settings, checked));
        }
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
                LOG.debug("{} did not close", transport.name(), e);
            }
        }
    }
}
