package org.azuremail.web.message;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.azuremail.limit.Limits;
import org.azuremail.limit.RateLimit;
import org.azuremail.limit.RateLimits;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.mail.MailProperties;
import org.azuremail.sending.TransportDirectory;
import org.azuremail.time.ExpiringCache;
import org.azuremail.time.Time;
import org.springframework.stereotype.Component;

/**
 * The transports that send the messages of some lists: first those that the lists chose, then those of the general
 * order.
 */
@Component
class MessageTransports {

    private static final Duration CACHE_LIFETIME = Duration.ofSeconds(30);

    private final RateLimits limits;
    private final TransportDirectory transports;
    private final ListStore lists;
    private final ExpiringCache<String, Integer> perSecond;

    MessageTransports(RateLimits limits, TransportDirectory transports, ListStore lists, Time time) {
        this.limits = limits;
        this.transports = transports;
        this.lists = lists;
        this.perSecond = new ExpiringCache<>(CACHE_LIFETIME, TransportDirectory.MAX_TRANSPORTS, time);
    }

    /**
     * Returns the emails a second of all transports of the lists together; empty if one of them has no limit a second.
     */
    OptionalInt perSecond(List<ListName> to) {
        List<Integer> each =
                of(to).stream().map(name -> perSecond.get(name, this::read)).toList();
        return each.contains(0)
                ? OptionalInt.empty()
                : OptionalInt.of(each.stream().mapToInt(Integer::intValue).sum());
    }

    /** Returns whether the first transport of the lists keeps emails in the outbox. */
    boolean toOutbox(List<ListName> to) {
        return transports
                .recent()
                .find(of(to).iterator().next())
                .filter(first -> first.kind().equals(MailProperties.OUTBOX))
                .isPresent();
    }

    private Set<String> of(List<ListName> to) {
        TransportDirectory.Snapshot now = transports.recent();
        Set<String> names = new LinkedHashSet<>();
        to.forEach(list -> lists.findActive(list).ifPresent(found -> {
            if (found.transport() != null && now.names().contains(found.transport())) {
                names.add(found.transport());
            }
        }));
        names.addAll(now.order());
        return names;
    }

    /** @return 0 for no limit, and for a transport that has just been removed */
    private int read(String transport) {
        return limits.find(transport)
                .map(RateLimit::limits)
                .map(Limits::perSecond)
                .orElse(0);
    }
}
