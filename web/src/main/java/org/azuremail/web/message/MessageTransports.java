package org.azuremail.web.message;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.azuremail.limit.RateLimits;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.mail.MailProperties;
import org.azuremail.sending.TransportDirectory;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The transports that send the messages of some lists: first those that the lists chose, then those of the general
 * order.
 */
@Component
class MessageTransports {

    private static final Duration CACHE_LIFETIME = Duration.ofSeconds(30);

    private record Known(Map<String, Integer> perSecond, Instant at) {}

    private final RateLimits limits;
    private final TransportDirectory transports;
    private final ListStore lists;
    private final Time time;
    private volatile @Nullable Known known;

    MessageTransports(RateLimits limits, TransportDirectory transports, ListStore lists, Time time) {
        this.limits = limits;
        this.transports = transports;
        this.lists = lists;
        this.time = time;
    }

    /**
     * Returns the emails a second of all transports of the lists together; empty if one of them has no limit a second.
     */
    OptionalInt perSecond(List<ListName> to) {
        Map<String, Integer> limitOf = perSecond();
        List<Integer> each =
                of(to).stream().map(name -> limitOf.getOrDefault(name, 0)).toList();
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

    /** Returns the limits a second by transport, read once in half a minute for all pages. */
    private Map<String, Integer> perSecond() {
        Instant now = time.instant();
        Known last = known;
        if (last == null || Duration.between(last.at(), now).abs().compareTo(CACHE_LIFETIME) > 0) {
            Map<String, Integer> each = new HashMap<>();
            transports
                    .names()
                    .forEach(name -> each.put(name, limits.of(name).limits().perSecond()));
            last = new Known(each, now);
            known = last;
        }
        return last.perSecond();
    }
}
