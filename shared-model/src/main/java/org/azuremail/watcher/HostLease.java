package org.azuremail.watcher;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.azuremail.id.IdSource;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.work.instance.Instance;
import org.azuremail.work.lease.Leases;
import org.jspecify.annotations.Nullable;

/**
 * The row of this process among the services, and the lease in it, which covers all watchers of the process. Once the
 * lease has ended, another process may declare this one dead, and then the row cannot be changed any more. Only the
 * host's thread changes this object; {@link #lasts()} may be called by any thread.
 */
final class HostLease {

    private final WatcherStore store;
    private final WatcherProperties settings;
    private final IdSource ids;
    private final Time time;
    private final Duration length;
    private @Nullable Versioned<WatchService> row;

    /**
     * The announcement whose answer was lost, or {@code null}. It is repeated unchanged, so that it is not counted
     * twice.
     */
    private @Nullable WatchService birth;

    private Duration endElapsed = Duration.ZERO;

    HostLease(WatcherStore store, WatcherProperties settings, IdSource ids, Time time, Duration length) {
        this.store = store;
        this.settings = settings;
        this.ids = ids;
        this.time = time;
        this.length = length;
    }

    /** Returns the row as last written; {@code null} while this process is not announced. */
    @Nullable
    Versioned<WatchService> row() {
        return row;
    }

    Versioned<WatchService> announce(Instance process) {
        WatchService born = birth;
        if (born == null || !born.instance().equals(process.id())) {
            String id = ids.token();
            String name = settings.serviceName().isEmpty()
                    ? process.name() + "-" + id.substring(0, 6)
                    : settings.serviceName();
            born = WatchService.born(id, process.id(), name, settings.slots(Runtime.getRuntime()), time.instant());
        }
        birth = born;
        Versioned<WatchService> announced = store.insert(born).done().orElseThrow();
        birth = null;
        row = announced;
        return announced;
    }

    /**
     * Takes the lease, or renews it once less than half of it is left. Returns false when this process was declared
     * dead.
     */
    boolean renew() {
        Duration now = time.elapsed();
        if (endElapsed.minus(now).compareTo(half()) > 0) {
            return true;
        }
        Instant clock = time.instant();
        return save(me -> me.holding(clock.plus(length), clock), now.plus(length));
    }

    /** Gives the lease back, if the process holds it. Returns false when this process was declared dead. */
    boolean giveBack() {
        return row == null
                || row.value().leaseEnd() == null
                || save(me -> me.holding(null, time.instant()), Duration.ZERO);
    }

    private boolean save(UnaryOperator<WatchService> change, Duration nextEnd) {
        Versioned<WatchService> before = Objects.requireNonNull(row);
        Optional<Versioned<WatchService>> done =
                store.replace(change.apply(before.value()), before.etag()).done();
        done.ifPresent(now -> {
            row = now;
            endElapsed = nextEnd;
        });
        return done.isPresent();
    }

    /** Forgets the row, because this process is announced anew or ends. */
    void forget() {
        row = null;
        endElapsed = Duration.ZERO;
    }

    boolean lasts() {
        return endElapsed.minus(Leases.EARLY).compareTo(time.elapsed()) > 0;
    }

    /** Returns the time until the lease must be renewed; negative when the renewal is overdue. */
    Duration untilRenewal(Duration now) {
        return endElapsed.minus(half()).minus(now);
    }

    Duration half() {
        return length.dividedBy(2);
    }
}
