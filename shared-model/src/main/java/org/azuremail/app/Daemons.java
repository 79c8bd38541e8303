package org.azuremail.app;

import java.util.concurrent.ThreadFactory;

/** Factories of daemon threads, which do not keep a process alive. */
public final class Daemons {

    private Daemons() {}

    public static ThreadFactory named(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
