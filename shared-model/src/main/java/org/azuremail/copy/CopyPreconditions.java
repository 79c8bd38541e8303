package org.azuremail.copy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.copy.CopyMarks.Marks;
import org.azuremail.copy.StorageCopy.CopyOptions;
import org.azuremail.copy.TargetMark.State;
import org.azuremail.id.IdSource;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Storage;
import org.azuremail.storage.version.StoreVersion;
import org.azuremail.time.Time;
import org.azuremail.work.instance.Instance;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.lease.Holders;
import org.jspecify.annotations.Nullable;

/** Checks whether a copy may begin or continue. A refusal is a sentence that tells the admin what to do. */
record CopyPreconditions(CopyEndpoint source, CopyEndpoint target, Time time) {

    /** The longest time from the start of a process to its first heartbeat, plus the difference between two clocks. */
    static final Duration STARTING = Duration.ofMinutes(3);

    private static final String STOP_THEM = "Stop every process first. A start counts for " + STARTING.toSeconds()
            + " seconds, a process that was killed for " + Instances.LIVE.toSeconds()
            + ", one that was alone for ever: when you know that none runs, add --stopped";

    Optional<String> refusal(Marks here, Marks existing, CopyOptions options) {
        return first(List.of(
                () -> marks(here, existing),
                this::isNewer,
                () -> alive(here, options),
                () -> here.departure() == null ? notReady() : Optional.empty(),
                () -> existing.arrival() == null ? notEmpty() : Optional.empty()));
    }

    private static Optional<String> first(List<Supplier<Optional<String>>> checks) {
        return checks.stream().map(Supplier::get).flatMap(Optional::stream).findFirst();
    }

    /** Returns a refusal if the marks of earlier copies require one. */
    private Optional<String> marks(Marks here, Marks existing) {
        if (source.name().equals(target.name())) {
            return Optional.of("both are " + source.name());
        }
        TargetMark came = here.arrival() == null ? null : here.arrival().value();
        if (came != null && came.state() != State.FINISHED) {
            return Optional.of(source.name() + " is itself an unfinished copy of " + came.source());
        }
        SourceMark sourceMark =
                here.departure() == null ? null : here.departure().value();
        if (sourceMark != null && sourceMark.finished()) {
            return Optional.of(MovedStorageException.moved(sourceMark) + ". " + MovedStorageException.wayBack());
        }
        if (sourceMark != null && !sourceMark.target().equals(target.name())) {
            return Optional.of(source.name() + " is being copied to " + sourceMark.target()
                    + ": continue that copy, or give it up by naming it with --abandon");
        }
        TargetMark targetMark =
                existing.arrival() == null ? null : existing.arrival().value();
        return targetMark == null || isContinued(sourceMark, targetMark)
                ? Optional.empty()
                : Optional.of(target.name() + occupied(targetMark));
    }

    private static boolean isContinued(@Nullable SourceMark sourceMark, TargetMark targetMark) {
        return sourceMark != null && sourceMark.copy().equals(targetMark.copy()) && targetMark.state() == State.COPYING;
    }

    private static String occupied(TargetMark targetMark) {
        return switch (targetMark.state()) {
            case FINISHED -> " is not empty: everything of " + targetMark.source() + " was copied to it";
            case COPYING -> " holds an unfinished copy of " + targetMark.source() + ": finish that, or empty it first";
            case ABANDONED -> " holds a copy of " + targetMark.source() + " that was given up: empty it first";
        };
    }

    /**
     * Returns a refusal if a process may run on the source. A process without an address sends no heartbeat after its
     * start, so its row alone counts.
     */
    Optional<String> alive(Marks here, CopyOptions options) {
        if (options.stopped()) {
            return Optional.empty();
        }
        if (here.startedAt() != null && here.startedAt().plus(STARTING).isAfter(time.instant())) {
            return Optional.of("a process started on " + source.name() + " at " + here.startedAt() + ". " + STOP_THEM);
        }
        Instances instances = new Instances(source.storage(), time, Holders.anywhere(IdSource.secure()), Stream::empty);
        List<Instance> alive = instances.known().stream()
                .filter(instance -> instance.aliveAt(time.instant())
                        || instance.signalAddress().isEmpty())
                .toList();
        return alive.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "these processes seem to run on " + source.name() + ": " + described(alive) + ". " + STOP_THEM);
    }

    private static String described(List<Instance> alive) {
        return alive.stream()
                .map(instance -> instance.name() + " (last heard of at " + instance.heartbeatAt() + ")")
                .collect(Collectors.joining(", "));
    }

    private Optional<String> isNewer() {
        StoreVersion version = new StoreVersion(source.storage());
        return version.stored() > version.known()
                ? Optional.of(source.name() + " has format " + version.stored() + ", this version knows "
                        + version.known() + ": copy with the version that runs on it")
                : Optional.empty();
    }

    private Optional<String> notReady() {
        return first(List.of(this::isRestored, this::isUnknown, this::walksASet));
    }

    private Optional<String> isRestored() {
        return source.restored()
                .madeAt()
                .map(
                        madeAt -> source.name() + " was restored from a backup of " + madeAt
                                + ". Start the service on it once, so that it takes the restore into account, and stop it again");
    }

    private Optional<String> isUnknown() {
        SortedSet<String> unknown = Catalogue.unknown(source.inventory().get());
        return source.shared() || unknown.isEmpty()
                ? Optional.empty()
                : Optional.of(source.name() + " holds " + unknown
                        + ", which this version does not know: copy with the version that runs on it");
    }

    /** Returns a refusal if a job is listing its set, because a position in a listing is useless in another storage. */
    private Optional<String> walksASet() {
        return Rows.stream(source.storage().tables(), CopyMarks.TABLE, KeyRange.partitions("job.", "job/"))
                .filter(row -> row.rowKey().equals("!job") && row.values().string("Continuation") != null)
                .map(row -> "job " + row.key().partition().substring("job.".length()) + " is being prepared on "
                        + source.name() + ". Start the service, wait a minute, and stop it again")
                .findFirst();
    }

    private Optional<String> notEmpty() {
        Storage storage = target.storage();
        Storage.Inventory inventory = target.names();
        Stream<String> tables = inventory.tables().stream()
                .filter(table -> has(Rows.stream(storage.tables(), table, KeyRange.everything())))
                .map("table "::concat);
        Stream<String> queues = inventory.queues().stream()
                .filter(queue -> storage.queues().approximateCount(queue) > 0)
                .map("queue "::concat);
        Stream<String> containers = inventory.containers().stream()
                .filter(container -> has(storage.blobs().stream(container, "")))
                .map("container "::concat);
        return Stream.of(tables, queues, containers)
                .flatMap(names -> names)
                .findFirst()
                .map(found -> target.name() + " is not empty: there is something in " + found
                        + ". A storage is only copied into an empty one: name another, or move away what is there");
    }

    private static boolean has(Stream<?> things) {
        return things.findAny().isPresent();
    }
}
