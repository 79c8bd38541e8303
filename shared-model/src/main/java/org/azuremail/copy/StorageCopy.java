package org.azuremail.copy;

import java.util.Optional;
import org.azuremail.copy.CopyMarks.Marks;
import org.azuremail.copy.CopyProgress.TakenOver;
import org.azuremail.copy.TargetMark.State;
import org.azuremail.id.IdSource;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * Moves everything from one storage to another, which must be empty. Once the copy has written its first mark, no
 * process starts on either storage, so the data does not change meanwhile. When the copy is finished, the service may
 * start on the target and never again on the source. A copy that breaks off, because it is killed or a storage cannot
 * be reached, continues with the next run. Queue items arrive at least once.
 *
 * <p>Every call may throw a {@link org.azuremail.storage.StorageException} and can then be repeated.
 */
public final class StorageCopy {

    private final CopyEndpoint source;
    private final CopyEndpoint target;
    private final CopyPreconditions preconditions;
    private final CopyMarks sourceMarks;
    private final CopyMarks targetMarks;
    private final IdSource ids;
    private final Time time;

    public StorageCopy(CopyEndpoint source, CopyEndpoint target, IdSource ids, Time time) {
        this.source = source;
        this.target = target;
        this.preconditions = new CopyPreconditions(source, target, time);
        this.sourceMarks = new CopyMarks(source.storage());
        this.targetMarks = new CopyMarks(target.storage());
        this.ids = ids;
        this.time = time;
    }

    /** Begins or continues the copy, and compares both storages at the end. */
    public CopyResult run(CopyOptions options) {
        Marks left = sourceMarks.read();
        Marks arrived = targetMarks.read();
        if (left.departure() != null && isFinished(left.departure().value(), arrived)) {
            close(left.departure());
            return new CopyResult.Finished(null);
        }
        Optional<String> refusal = preconditions.refusal(left, arrived, options);
        if (refusal.isPresent()) {
            return new CopyResult.Refused(refusal.get());
        }
        return left.departure() == null ? begin(arrived, options) : copy(left.departure(), arrived, options);
    }

    /** Writes the mark, then checks for processes. A process that starts now sees the mark or is detected. */
    private CopyResult begin(Marks arrived, CopyOptions options) {
        Optional<Versioned<SourceMark>> departure =
                sourceMarks.insert(new SourceMark(ids.token(), target.name(), time.instant(), null));
        if (departure.isEmpty()) {
            return new CopyResult.Refused("another process has just begun a copy");
        }
        Optional<String> alive = preconditions.alive(sourceMarks.read(), options);
        if (alive.isPresent()) {
            sourceMarks.remove(departure.get());
            return new CopyResult.Refused(alive.get());
        }
        return copy(departure.get(), arrived, options);
    }

    private static boolean isFinished(SourceMark sourceMark, Marks arrived) {
        return arrived.arrival() != null
                && arrived.arrival().value().state() == State.FINISHED
                && arrived.arrival().value().copy().equals(sourceMark.copy());
    }

    private CopyResult copy(Versioned<SourceMark> departure, Marks arrived, CopyOptions options) {
        try {
            String copy = departure.value().copy();
            Versioned<TargetMark> arrival = arrived.arrival() == null
                    ? targetMarks
                            .insert(TargetMark.begin(copy, source.name(), time.instant()))
                            .orElseThrow(TakenOver::new)
                    : arrived.arrival();
            CopyProgress progress = CopyProgress.takeOver(targetMarks, arrival, time);
            return copy(departure, progress, options);
        } catch (TakenOver elsewhere) {
            return new CopyResult.Refused(String.valueOf(elsewhere.getMessage()));
        }
    }

    private CopyResult copy(Versioned<SourceMark> departure, CopyProgress progress, CopyOptions options) {
        Storage.Inventory inventory = source.names();
        Transfer transfer = new Transfer(source.storage(), target.storage());
        transfer.copy(inventory, progress);
        long hidden = transfer.move(inventory);
        if (hidden > 0 && !options.leaveHidden()) {
            return new CopyResult.Hidden(hidden);
        }
        CopyReport report = CopyReport.of(inventory, source.storage(), target.storage());
        if (!report.equal()) {
            progress.advanceTo(Position.START);
            return new CopyResult.Different(report);
        }
        progress.finish();
        close(departure);
        return new CopyResult.Finished(report);
    }

    /** Marks the source as copied, whichever run copied it, because the service may already run on the target. */
    private void close(Versioned<SourceMark> departure) {
        if (!departure.value().finished()) {
            sourceMarks.replace(departure, departure.value().finishedAt(time.instant()));
        }
    }

    /**
     * Abandons an unfinished copy. Queue items are moved back, and the service may start on the source again. The
     * target then contains a worthless copy, on which no process starts.
     */
    public CopyResult abandon(CopyOptions options) {
        Marks left = sourceMarks.read();
        if (left.departure() == null) {
            return new CopyResult.Refused("nothing is being copied from " + source.name());
        }
        SourceMark sourceMark = left.departure().value();
        Marks arrived = targetMarks.read();
        if (sourceMark.finished() || isFinished(sourceMark, arrived)) {
            return new CopyResult.Refused(
                    "everything of " + source.name() + " is copied, and the service may already run on "
                            + sourceMark.target()
                            + ": on both it would email everybody twice. To go back, copy from there");
        }
        if (!sourceMark.target().equals(target.name())) {
            return new CopyResult.Refused(source.name() + " is being copied to " + sourceMark.target());
        }
        return giveUp(left.departure(), arrived, options);
    }

    private CopyResult giveUp(Versioned<SourceMark> departure, Marks arrived, CopyOptions options) {
        String copy = departure.value().copy();
        if (arrived.arrival() == null || arrived.arrival().value().copy().equals(copy)) {
            if (!refuseTheRest(copy, arrived)) {
                return new CopyResult.Refused("another process continues the copy: end that process, and try again");
            }
            long hidden = new Transfer(target.storage(), source.storage()).move(target.names());
            if (hidden > 0 && !options.leaveHidden()) {
                return new CopyResult.Hidden(hidden);
            }
        }
        sourceMarks.remove(departure);
        return new CopyResult.Abandoned();
    }

    /** Marks the target as abandoned. A process that is still copying finds this mark before it can finish. */
    private boolean refuseTheRest(String copy, Marks arrived) {
        if (arrived.arrival() == null) {
            TargetMark never =
                    TargetMark.begin(copy, source.name(), time.instant()).in(State.ABANDONED, time.instant());
            return targetMarks.insert(never).isPresent();
        }
        TargetMark before = arrived.arrival().value();
        return before.state() == State.ABANDONED
                || targetMarks
                        .replace(arrived.arrival(), before.in(State.ABANDONED, time.instant()))
                        .done()
                        .isPresent();
    }

    /**
     * The facts that the admin vouches for.
     *
     * @param stopped whether no process runs on the source, even if rows of processes suggest that one does
     * @param leaveHidden whether items that are still hidden may stay behind
     */
    public record CopyOptions(boolean stopped, boolean leaveHidden) {

        public static final CopyOptions NONE = new CopyOptions(false, false);
    }

    public sealed interface CopyResult {

        /**
         * Everything is in the target, and the service may start there.
         *
         * @param report {@code null} if an earlier run finished the copy
         */
        record Finished(@Nullable CopyReport report) implements CopyResult {}

        /** Everything is copied except queue items that are still hidden. The copy must be run again. */
        record Hidden(long items) implements CopyResult {}

        /** The storages differ. The next run copies everything again. */
        record Different(CopyReport report) implements CopyResult {}

        /** Nothing was begun or changed. The reason tells the admin what to do. */
        record Refused(String why) implements CopyResult {}

        /** The copy was abandoned, and the service may start on the source. */
        record Abandoned() implements CopyResult {}
    }
}
