package org.azuremail.work.lease;

import java.io.IOException;
import java.nio.file.Path;
import org.azuremail.id.IdSource;
import org.slf4j.LoggerFactory;

/** Gives names to the holders of leases and claims, and knows of some holders that their processes have ended. */
public interface Holders {

    /** Returns a name that no other holder has or will have. */
    String next();

    /** Returns whether this holder's process has ended, or false if that is unknown. */
    default boolean isDead(String holder) {
        return false;
    }

    /**
     * Returns whether {@link #isDead} can return true. If so, the lease of a dead process is free immediately, however
     * long it lasts.
     */
    default boolean detectsDeadHolders() {
        return false;
    }

    /**
     * Returns the holders of one host, which share this directory. If files cannot be locked, no holder is ever known
     * to be gone.
     */
    static Holders onThisHost(Path directory, IdSource ids) {
        try {
            return new HostHolders(directory, ids);
        } catch (IOException e) {
            LoggerFactory.getLogger(Holders.class)
                    .warn(
                            "nobody can tell which process lives: no file can be locked in {}: {}",
                            directory,
                            e.toString());
            return anywhere(ids);
        }
    }

    /** Returns holders on any number of hosts. A holder that has been silent for long may still be alive. */
    static Holders anywhere(IdSource ids) {
        return ids::token;
    }
}
