package org.azuremail.journal;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The place where an SMTP sender notes which emails it has begun.
 *
 * @param journal a directory of this host; {@code journal} in the data directory when it is not set, none when it
 *     says {@code none}
 */
@ConfigurationProperties("azuremail.mail.smtp")
record JournalProperties(@Nullable String journal) {

    Optional<Path> directory(Path dataDir) {
        if (journal == null || journal.isBlank()) {
            return Optional.of(dataDir.resolve("journal"));
        }
        return "none".equals(journal) ? Optional.empty() : Optional.of(Path.of(journal));
    }
}
