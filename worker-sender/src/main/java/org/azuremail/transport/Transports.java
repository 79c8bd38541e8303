package org.azuremail.transport;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.azuremail.limit.RateLimits;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailProperties;
import org.azuremail.mail.MailProperties.Configured;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.Unavailable;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.route.Breakers;
import org.azuremail.route.EmailCounts;
import org.azuremail.route.Route;
import org.azuremail.route.Routes;
import org.azuremail.sending.StoredTransport;
import org.azuremail.sending.TransportDirectory;
import org.azuremail.sending.TransportDirectory.Snapshot;
import org.azuremail.sending.TransportOpener;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All transports of a process that sends. The transports of the settings are opened at the start and stay open. Those
 * of admins may be added, changed or removed while emails leave. A replaced transport finishes what it has begun and
 * stays open until every caller that was about to use it has asked again; then it is closed.
 */
public final class Transports implements Supplier<Routes.RouteTable>, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Transports.class);

    /** Longer than a caller holds a transport before its lot leaves. */
    private static final Duration UNTIL_CLOSED = Duration.ofMinutes(2);

    private static final Duration REOPEN_INTERVAL = Duration.ofSeconds(30);

    private final TransportDirectory directory;
    private final TransportOpener opener;
    private final RateLimits limits;
    private final Breakers breakers;
    private final EmailCounts counts;
    private final Time time;
    private final Map<String, RefCountedTransport> configured = new LinkedHashMap<>();
    private final Map<RefCountedTransport, Duration> replaced = new LinkedHashMap<>();
    private Map<String, OpenTransport> open = new LinkedHashMap<>();
    private @Nullable Snapshot seen;
    private Routes.@Nullable RouteTable known;
    private Duration triedElapsed = Duration.ZERO;

    /** @param stored the stored form from which it was opened; {@code null} for a transport of the settings */
    private record OpenTransport(
            Route route,
            RefCountedTransport transport,
            Configured one,
            @Nullable StoredTransport stored,
            boolean works) {}

    Transports(
            MailProperties mail,
            TransportDirectory directory,
            TransportOpener opener,
            RateLimits limits,
            Breakers breakers,
            EmailCounts counts,
            Time time) {
        this.directory = directory;
        this.opener = opener;
        this.limits = limits;
        this.breakers = breakers;
        this.counts = counts;
        this.time = time;
        mail.all()
                .forEach(one -> configured.put(
                        one.name(), new RefCountedTransport(one.name(), opener.open(one, Optional.empty()))));
    }

    /**
     * Returns the routes of all present transports, at most five seconds old.
     *
     * @throws org.azuremail.storage.StorageException when this process has read none yet and the storage is out of
     *     reach
     */
    @Override
    public Routes.RouteTable get() {
        Snapshot now = directory.recent();
        synchronized (this) {
            Routes.RouteTable before = known;
            closeReplaced();
            boolean again = open.values().stream().anyMatch(one -> !one.works())
                    && time.elapsed().minus(triedElapsed).compareTo(REOPEN_INTERVAL) >= 0;
            return before != null && now.equals(seen) && !again ? before : take(now);
        }
    }

    private Routes.RouteTable take(Snapshot now) {
        Map<String, OpenTransport> next = new LinkedHashMap<>();
        Map<String, Route> routes = new LinkedHashMap<>();
        for (Configured one : now.all()) {
            Versioned<StoredTransport> added = now.added().get(one.name());
            OpenTransport made = openOrReuse(one, added == null ? null : added.value());
            next.put(one.name(), made);
            routes.put(one.name(), made.route());
        }
        open.values().stream()
                .map(OpenTransport::transport)
                .filter(old -> next.values().stream().noneMatch(kept -> kept.transport() == old))
                .forEach(old -> replaced.put(old, time.elapsed()));
        open = next;
        seen = now;
        triedElapsed = time.elapsed();
        known = new Routes.RouteTable(routes, now.order());
        return known;
    }

    private OpenTransport openOrReuse(Configured one, @Nullable StoredTransport stored) {
        OpenTransport before = open.get(one.name());
        if (before != null && before.works() && before.one().equals(one) && same(before.stored(), stored)) {
            return before;
        }
        MailTransport transport = stored == null ? null : opened(one, stored);
        RefCountedTransport lent = transport == null
                ? Objects.requireNonNull(configured.get(one.name()))
                : new RefCountedTransport(one.name(), transport);
        Route route =
                new Route(one.name(), lent, limits.of(one.name()), breakers.of(one.name()), one.whenFull(), counts);
        return new OpenTransport(route, lent, one, stored, !(transport instanceof UnusableTransport));
    }

    /** Returns whether both are the same, apart from the author and the time of saving. */
    private static boolean same(@Nullable StoredTransport before, @Nullable StoredTransport now) {
        if (before == null || now == null) {
            return before == null && now == null;
        }
        return before.kind().equals(now.kind())
                && before.settings().equals(now.settings())
                && before.secrets().equals(now.secrets());
    }

    private MailTransport opened(Configured one, StoredTransport stored) {
        try {
            return opener.open(one, Optional.of(stored));
        } catch (TransportOpener.SecretUnreadable wrongKey) {
            LOG.error(
                    "Transport {} cannot be used: {}. See azuremail.secrets.key.",
                    stored.name(),
                    wrongKey.getMessage());
            return new UnusableTransport(Reason.of(ReasonCode.TRANSPORT_SECRET, stored.name()));
        } catch (RuntimeException refused) {
            LOG.error("Transport {} cannot be used: its settings are not valid for this process.", stored.name());
            return new UnusableTransport(Reason.of(ReasonCode.TRANSPORT_SETTINGS, stored.name()));
        }
    }

    /** A placeholder for a transport that this process cannot open; emails wait or leave by another one. */
    private record UnusableTransport(Reason reason) implements MailTransport {

        private Unavailable why() {
            return new Unavailable(Unavailable.Kind.WAIT, reason, REOPEN_INTERVAL);
        }

        @Override
        public int lotSize() {
            return 1;
        }

        @Override
        public Optional<Unavailable> prepare(BooleanSupplier mayWait) {
            return Optional.of(why());
        }

        @Override
        public HandOverResult handOver(MailLot lot, Guard guard) {
            return HandOverResult.notAttempted(lot.mails().size(), why());
        }
    }

    private void closeReplaced() {
        replaced.entrySet().removeIf(old -> {
            boolean over = time.elapsed().minus(old.getValue()).compareTo(UNTIL_CLOSED) >= 0;
            if (over) {
                old.getKey().retire();
            }
            return over;
        });
    }

    /**
     * Returns the routes of this process. The number of lots comes from the settings, so that nothing is read at the
     * start. Each transport can have all of its places, however many the others use.
     */
    public Routes routes() {
        return Routes.of(
                this,
                configured.values().stream()
                        .map(RefCountedTransport::concurrency)
                        .toList());
    }

    @Override
    public synchronized void close() {
        configured.values().forEach(RefCountedTransport::retire);
        open.values().forEach(one -> one.transport().retire());
        replaced.keySet().forEach(RefCountedTransport::retire);
    }
}
