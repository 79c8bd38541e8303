package org.azuremail.storage;

import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import org.azuremail.id.IdSource;

/** Names that no other test has used, so that all tests may share one storage account. */
public final class FreshNames {

    private static final String RUN = HexFormat.of().formatHex(IdSource.secure().bytes(4));
    private static final AtomicLong NEXT = new AtomicLong();

    private FreshNames() {}

    /** Returns a name for a table, a queue or a container. */
    public static String next() {
        return "t" + RUN + "n" + NEXT.incrementAndGet();
    }
}
