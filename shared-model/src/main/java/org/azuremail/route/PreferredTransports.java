package org.azuremail.route;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * Finds the transport that each list prefers. A change takes effect within half a minute. If there is only one
 * transport, nothing is read. Safe for use from many threads.
 */
public final class PreferredTransports {

    private static final Duration CACHE_TTL = Duration.ofSeconds(30);
    private static final int MAX_KEPT = 200;

    private final ListStore lists;
    private final Routes routes;
    private final Time time;
    private final Map<ListName, Known> kept = new ConcurrentHashMap<>();

    private record Known(@Nullable String transport, Duration atElapsed) {}

    public PreferredTransports(ListStore lists, Routes routes, Time time) {
        this.lists = lists;
        this.routes = routes;
        this.time = time;
    }

    /** Returns the name of the transport that the list chose, if it chose one. */
    public @Nullable String of(ListName list) {
        if (routes.single()) {
            return null;
        }
        Known known = kept.get(list);
        if (known == null || known.atElapsed().plus(CACHE_TTL).compareTo(time.elapsed()) <= 0) {
            known = read(list);
            if (kept.size() >= MAX_KEPT) {
                kept.clear();
            }
            kept.put(list, known);
        }
        return known.transport();
    }

    private Known read(ListName list) {
        String transport = lists.find(list)
                .map(Versioned::value)
                .map(MailingList::transport)
                .orElse(null);
        return new Known(transport, time.elapsed());
    }
}
