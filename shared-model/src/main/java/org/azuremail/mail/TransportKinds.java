package org.azuremail.mail;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.azuremail.mail.MailProperties.Configured;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** The kinds of transport that this process knows. A process that is only a scheduler knows none. */
public final class TransportKinds {

    private final Map<String, TransportKind<?>> byName = new TreeMap<>();

    /** @throws RuntimeException if two kinds have the same name, or the settings name an unknown kind */
    TransportKinds(ObjectProvider<TransportKind<?>> kinds, MailProperties mail) {
        for (TransportKind<?> kind : kinds) {
            if (byName.put(kind.name(), kind) != null) {
                throw new IllegalStateException("two mail transports are called " + kind.name());
            }
        }
        for (Configured one : mail.all()) {
            if (!byName.isEmpty() && !byName.containsKey(one.kind())) {
                throw new InvalidConfigurationPropertyValueException(
                        mail.kindSetting(one), one.kind(), "It must be one of " + byName.keySet() + ".");
            }
        }
    }

    public Collection<TransportKind<?>> all() {
        return byName.values();
    }

    public Optional<TransportKind<?>> find(String kind) {
        return Optional.ofNullable(byName.get(kind));
    }

    /** @throws IllegalArgumentException if this process does not know the kind */
    public TransportKind<?> of(Configured one) {
        return find(one.kind()).orElseThrow(() -> new IllegalArgumentException("no mail transport " + one.kind()));
    }

    /**
     * Returns the initial limit of a transport, in emails a second: the configured one, or else the default of its
     * kind; 0 means no limit.
     */
    public int startingRate(Configured one) {
        Integer set = one.perSecond();
        return set != null
                ? set
                : find(one.kind()).map(TransportKind::startingRate).orElse(0);
    }
}
