package org.azuremail.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class JournalPropertiesTest {

    private static final Path DATA = Path.of("data");

    @Test
    void theJournalIsInTheDataDirectoryUnlessItIsSetOrNotWanted() {
        assertThat(new JournalProperties(null).directory(DATA)).contains(Path.of("data", "journal"));
        assertThat(new JournalProperties(" ").directory(DATA)).contains(Path.of("data", "journal"));
        assertThat(new JournalProperties("elsewhere").directory(DATA)).contains(Path.of("elsewhere"));
        assertThat(new JournalProperties("none").directory(DATA)).isEmpty();
    }
}
