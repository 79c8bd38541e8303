package org.azuremail.work.lease;

import java.io.IOException;
import java.nio.file.Path;
import org.azuremail.id.IdSource;
import org.slf4j.LoggerFactory;

/** Gives names to the holders of leases and claims, and knows of some that they have ended for good. */
public interface Holders {

    /** A name that no other holder has or will have. */
    String next();

    /** Returns whether this holder's process has ended; false where nobody can know. */
    boolean gone(String holder);

    /** Returns whether {@link #gone} ever says so: then the lease of one that died is free at once, however long it lasts. */
    boolean knowsTheGone();

    /** Holders of one host that share this directory. Where files cannot be locked nobody is ever known to be gone. */
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

    /** Holders on any number of hosts: a holder that is not heard of may be alive. */
    static Holders anywhere(IdSource ids) {
        return new Holders() {
            @Override
            public String next() {
                return ids.token();
            }

            @Override
            public boolean gone(String holder) {
                return false;
            }

            @Override
            public boolean knowsTheGone() {
                return false;
            }
        };
    }
}
