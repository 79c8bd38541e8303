package org.azuremail.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Finds a port for a service that binds it only seconds later. */
public final class FreePort {

    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_000;
    private static final int ATTEMPTS = 100;

    private FreePort() {}

    /** Returns a free port below the range from which the system takes the ports of outgoing connections. */
    public static int find() {
        for (int attempt = 1; ; attempt++) {
            try (ServerSocket socket =
                    new ServerSocket(ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST))) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                if (attempt == ATTEMPTS) {
                    throw new UncheckedIOException(taken);
                }
            }
        }
    }
}
