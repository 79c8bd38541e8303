package org.azuremail.storage.embedded;

import java.nio.file.Path;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A data file for one test, open while the test runs. For contracts of features on the storage. */
public abstract class OnEmbedded {

    @TempDir
    private Path directory;

    private final Time time;
    private @Nullable EmbeddedStorage embedded;

    protected OnEmbedded(Time time) {
        this.time = time;
    }

    @BeforeEach
    protected final void open() {
        embedded = EmbeddedStorage.open(directory, time);
    }

    @AfterEach
    protected final void close() {
        if (embedded != null) {
            embedded.close();
        }
    }

    public final Storage storage() {
        if (embedded == null) {
            throw new IllegalStateException("the data file is not open");
        }
        return embedded.storage();
    }
}
