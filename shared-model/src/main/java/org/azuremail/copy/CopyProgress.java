package org.azuremail.copy;

import java.util.function.UnaryOperator;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;

/** The progress of one run of a copy, stored in the target. If another run takes the copy over, this one ends. */
final class CopyProgress {

    /** Thrown when another process continues the copy or has abandoned it. */
    static final class TakenOver extends RuntimeException {

        TakenOver() {
            super("another process continues this copy, or gave it up");
        }
    }

    private final CopyMarks target;
    private final Time time;
    private Versioned<TargetMark> now;

    private CopyProgress(CopyMarks target, Time time, Versioned<TargetMark> now) {
        this.target = target;
        this.time = time;
        this.now = now;
    }

    /** Takes the copy over from the process that ran it before. */
    static CopyProgress takeOver(CopyMarks target, Versioned<TargetMark> found, Time time) {
        CopyProgress progress = new CopyProgress(target, time, found);
        progress.advanceTo(found.value().position());
        return progress;
    }

    Position position() {
        return now.value().position();
    }

    /**
     * Records that the copy has reached a position.
     *
     * @throws TakenOver if another run has taken the copy over
     */
    void advanceTo(Position position) {
        change(targetMark -> targetMark.at(position, time.instant()));
    }

    void finish() {
        change(targetMark -> targetMark.in(TargetMark.State.FINISHED, time.instant()));
    }

    private void change(UnaryOperator<TargetMark> change) {
        Saved<TargetMark> saved = target.replace(now, change.apply(now.value()));
        now = saved.done().orElseThrow(TakenOver::new);
    }
}
