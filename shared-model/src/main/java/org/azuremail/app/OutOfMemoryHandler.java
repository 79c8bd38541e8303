package org.azuremail.app;

import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a process that runs out of memory, because the failure may stop any of its threads. Nothing is lost, since the
 * work in progress is in the storage. The JVM ends the process itself if it was started with {@value #OPTION};
 * otherwise the process ends as soon as one of its own threads, or a request, reports the failure.
 */
public final class OutOfMemoryHandler {

    static final String OPTION = "-XX:+ExitOnOutOfMemoryError";

    /** The exit code of a JVM that was started with {@value #OPTION}. */
    private static final int EXIT_CODE = 3;

    private static final Logger LOG = LoggerFactory.getLogger(OutOfMemoryHandler.class);

    private OutOfMemoryHandler() {}

    /** Makes the process end when memory runs out. An application calls this first. */
    public static void install() {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            haltIfCausedBy(failure);
            LOG.error("the thread {} has ended", thread.getName(), failure);
        });
        if (!ManagementFactory.getRuntimeMXBean().getInputArguments().contains(OPTION)) {
            LOG.warn("start the service with {}, so that it ends and is started again when memory runs out", OPTION);
        }
    }

    /** Ends the process if a lack of memory caused the failure, directly or indirectly. */
    public static void haltIfCausedBy(@Nullable Throwable failure) {
        if (isCauseOf(failure)) {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }

    static boolean isCauseOf(@Nullable Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof OutOfMemoryError)) {
            cause = cause.getCause();
        }
        return cause != null;
    }
}
