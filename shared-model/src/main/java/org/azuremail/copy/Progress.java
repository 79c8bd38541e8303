package org.azuremail.copy;

import java.util.function.UnaryOperator;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;

/** The progress of one run of a copy, stored in the target. If another run takes the copy over, this one ends. */
final class Progress {

    /** Thrown when another process continues the copy or has abandoned it. */
    static final class TakenOver extends RuntimeException {

        private static final long serialVersionUID = 1L;

        TakenOver() {
            super("another process continues this copy, or gave it up");
        }
    }

    private final CopyState target;
    private final Time time;
    private Versioned<Arrival> now;

    private Progress(CopyState target, Time time, Versioned<Arrival> now) {
        this.target = target;
        this.time = time;
        this.now = now;
    }

    /** Takes the copy over from the process that ran it before. */
    static Progress takeOver(CopyState target, Versioned<Arrival> found, Time time) {
        Progress progress = new Progress(target, time, found);
        progress.reach(found.value().position());
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
    void reach(Position position) {
        change(arrival -> arrival.at(position, time.instant()));
    }

    void finish() {
        change(arrival -> arrival.in(Arrival.State.FINISHED, time.instant()));
    }

    private void change(UnaryOperator<Arrival> change) {
        Saved<Arrival> saved = target.replace(now, change.apply(now.value()));
        now = saved.done().orElseThrow(TakenOver::new);
    }
}
