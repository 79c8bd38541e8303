package org.azuremail.storage.simulated;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;

/** A storage with one fault, at one numbered call. */
public final class Faults {

    /** The ways in which a call can go wrong. */
    public enum Mode {
        /** The process dies before the call takes effect. */
        DIES_BEFORE,
        /** The process dies after the call took effect. */
        DIES_AFTER,
        /** The call fails without effect, and the process lives. */
        FAILS,
        /** The call takes effect but its answer is lost, and the process lives. */
        ANSWER_LOST,
        /**
         * The call takes effect but its answer is lost, and the client library repeats it. The result is 409, 412, 404
         * or a second item.
         */
        REPEATED;

        public boolean dies() {
            return this == DIES_BEFORE || this == DIES_AFTER;
        }
    }

    private final Mode mode;
    private final long at;
    private final Runnable onDeath;
    private long calls;
    private boolean dead;
    private boolean armed = true;
    private long times = 1;

    public Faults(Mode mode, long at, Runnable onDeath) {
        this.mode = mode;
        this.at = at;
        this.onDeath = onDeath;
    }

    public static Faults none() {
        return new Faults(Mode.FAILS, -1, () -> {});
    }

    /** Returns the number of calls so far. The fault has happened if {@code calls() >= at}. */
    public long calls() {
        return calls;
    }

    /** Kills the process at this moment, after which it does nothing. */
    public void kill() {
        dead = true;
    }

    /** Throws if the process is dead. */
    public void live() {
        if (dead) {
            throw new ProcessDied();
        }
    }

    public void disarm() {
        armed = false;
    }

    /** Makes this number of successive calls fail instead of one. */
    public Faults lasting(long calls) {
        times = calls;
        return this;
    }

    /** Starts counting calls again from the beginning. */
    public void arm() {
        armed = true;
    }

    private Object call(EachCall.Action action) throws Throwable {
        live();
        if (!armed || ++calls < at || calls >= at + times) {
            return action.done();
        }
        switch (mode) {
            case DIES_BEFORE -> die();
            case FAILS -> throw new StorageException(Reason.UNAVAILABLE, "not done", null);
            case DIES_AFTER -> {
                action.done();
                die();
            }
            case ANSWER_LOST -> {
                action.done();
                throw new StorageException(Reason.TIMED_OUT, "done, but nobody heard", null);
            }
            case REPEATED -> action.done();
        }
        return action.done();
    }

    private void die() {
        dead = true;
        onDeath.run();
        throw new ProcessDied();
    }

    public Storage around(Storage real) {
        EachCall faulty = (method, arguments, call) -> {
            if (method.getName().startsWith("create")) {
                return call.done();
            }
            if (!method.getName().equals("put")) {
                return call(call);
            }
            byte[] content = ((InputStream) arguments[2]).readAllBytes();
            return call(() -> {
                arguments[2] = new ByteArrayInputStream(content);
                return call.done();
            });
        };
        return faulty.of(real);
    }
}
