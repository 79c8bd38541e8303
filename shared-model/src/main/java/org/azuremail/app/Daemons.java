package org.azuremail.app;

import java.util.concurrent.ThreadFactory;

/** Threads that keep no process alive. */
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
