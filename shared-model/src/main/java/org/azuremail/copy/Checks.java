package org.azuremail.copy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.copy.CopyState.Found;
import org.azuremail.id.IdSource;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Rows;
import org.azuremail.storage.version.StoreVersion;
import org.azuremail.time.Time;
import org.azuremail.work.instance.Instance;
import org.azuremail.work.instance.Instances;

/** Checks whether a copy may begin or go on; a refusal is a sentence that says what to do. */
final class Checks {

    /** The time that a process may take from its start to its first heartbeat, plus the difference of two clocks. */
    static final Duration STARTING = Duration.ofMinutes(3);

    private final CopyEnd source;
    private final CopyEnd target;
    private final MarkChecks marks;
    private final Time time;

    Checks(CopyEnd source, CopyEnd target, Time time) {
        this.source = source;
        this.target = target;
        this.marks = new MarkChecks(source, target);
        this.time = time;
    }

    Optional<String> refusal(Found here, Found there, CopyOptions options) {
        return first(List.of(
                () -> marks.refusal(here, there),
                this::isNewer,
                () -> alive(here, options),
                () -> here.departure() == null ? notReady() : Optional.empty(),
                () -> there.arrival() == null ? notEmpty() : Optional.empty()));
    }

    private static Optional<String> first(List<Supplier<Optional<String>>> checks) {
        return checks.stream().map(Supplier::get).flatMap(Optional::stream).findFirst();
    }

    /** A process that says nothing after its start has no address: its row alone speaks for it. */
    Optional<String> alive(Found here, CopyOptions options) {
        if (options.stopped()) {
            return Optional.empty();
        }
        if (here.startedAt() != null && here.startedAt().plus(STARTING).isAfter(time.instant())) {
            return Optional.of("a process started on " + source.name() + " at " + here.startedAt() + ". " + stopThem());
        }
        Instances instances = new Instances(source.storage(), time, IdSource.secure(), Stream::empty);
        List<Instance> alive = instances.known().stream()
                .filter(instance -> instance.aliveAt(time.instant())
                        || instance.signalAddress().isEmpty())
                .toList();
        return alive.isEmpty()
                ? Optional.empty()
                : Optional.of("on " + source.name() + " there seem to run " + described(alive) + ". " + stopThem());
    }

    private static String described(List<Instance> alive) {
        return alive.stream()
                .map(instance -> instance.name() + " (last heard of at " + instance.heartbeatAt() + ")")
                .collect(Collectors.joining(", "));
    }

    private static String stopThem() {
        return "Stop every process first. A start counts for " + STARTING.toSeconds()
                + " seconds, a process that was killed for " + Instances.LIVE.toSeconds()
                + ", one that was alone for ever: when you know that none runs, add --stopped";
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
                .map(madeAt -> source.name() + " was restored from a backup of " + madeAt
                        + ". Start the service on it once, so that it reckons with that, and stop it again");
    }

    private Optional<String> isUnknown() {
        SortedSet<String> unknown = Catalogue.unknown(source.inventory().get());
        return source.shared() || unknown.isEmpty()
                ? Optional.empty()
                : Optional.of(source.name() + " holds " + unknown
                        + ", which this version does not know: copy with the version that runs on it");
    }

    /** The place in a listing means nothing in another storage. */
    private Optional<String> walksASet() {
        return Rows.stream(source.storage().tables(), CopyState.TABLE, KeyRange.partitions("job.", "job/"))
                .filter(row -> row.rowKey().equals("!job") && row.values().string("Continuation") != null)
                .map(row -> "job " + row.key().partition().substring("job.".length()) + " is being prepared on "
                        + source.name() + ". Start the service, wait a minute, and stop it again")
                .findFirst();
    }

    private Optional<String> notEmpty() {
        return Contents.anyIn(target)
                .map(found -> target.name() + " is not empty: there is something in " + found
                        + ". A storage is copied into an empty one only: name another, or move away what is there");
    }
}
