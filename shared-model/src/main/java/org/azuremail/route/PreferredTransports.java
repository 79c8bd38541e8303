package org.azuremail.route;

import java.time.Duration;
import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.time.ExpiringCache;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * Finds the transport that each list prefers. A change takes effect within half a minute. If there is only one
 * transport, nothing is read. Safe for use from many threads.
 */
public final class PreferredTransports {

    private final ListStore lists;
    private final Routes routes;
    private final ExpiringCache<ListName, Optional<String>> chosen;

    public PreferredTransports(ListStore lists, Routes routes, Time time) {
        this.lists = lists;
        this.routes = routes;
        this.chosen = new ExpiringCache<>(Duration.ofSeconds(30), 200, time);
    }

    /** Returns the name of the transport that the list chose, if it chose one. */
    public @Nullable String of(ListName list) {
        return routes.single()
                ? null
                : chosen.get(list, name -> lists.findValue(name).map(MailingList::transport))
                        .orElse(null);
    }
}
