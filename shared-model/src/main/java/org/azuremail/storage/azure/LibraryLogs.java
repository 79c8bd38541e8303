package org.azuremail.storage.azure;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggerConfiguration;
import org.springframework.boot.logging.LoggingSystem;

/**
 * Silences Azure's libraries, which log a warning with each request and an error with each refusal, also where it is the
 * expected answer. Failures are thrown to callers, who know their meaning and log them.
 */
final class LibraryLogs {

    private static final String LIBRARIES = "com.azure";

    private LibraryLogs() {}

    /** Unless {@code logging.level.com.azure} asks for it. */
    static void silence() {
        LoggingSystem logging = LoggingSystem.get(LibraryLogs.class.getClassLoader());
        LoggerConfiguration asked = logging.getLoggerConfiguration(LIBRARIES);
        if (asked == null || asked.getConfiguredLevel() == null) {
            logging.setLogLevel(LIBRARIES, LogLevel.OFF);
        }
    }
}
