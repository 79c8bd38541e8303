package org.azuremail.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells the boots of hosts apart. */
final class Boots {

    private static final Path LINUX = Path.of("/proc/sys/kernel/random/boot_id");

    private Boots() {}

    /** Unique to this host's run; empty where the system does not tell. */
    static String current() {
        try {
            return Files.readString(LINUX).strip();
        } catch (IOException elsewhere) {
            return "";
        }
    }
}
