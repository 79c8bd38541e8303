package org.azuremail.mail;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.azuremail.mail.MailProperties.Configured;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** The kinds of transport that this process knows; a scheduler of its own knows none and needs none. */
public final class TransportKinds {

    private final Map<String, TransportKind<?>> byName = new TreeMap<>();

    /** @throws RuntimeException when two have the same name, or when the settings name another one */
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

    /** @throws IllegalArgumentException when this process does not know it */
    public TransportKind<?> of(Configured one) {
        return find(one.kind()).orElseThrow(() -> new IllegalArgumentException("no mail transport " + one.kind()));
    }

    /** Mails a second with which a transport starts: what is set, otherwise what suits its kind; 0 means no limit. */
    public int startingRate(Configured one) {
        Integer set = one.perSecond();
        return set != null
                ? set
                : find(one.kind()).map(TransportKind::startingRate).orElse(0);
    }
}
