package org.azuremail.storage.embedded;

import java.nio.file.Path;
import org.azuremail.storage.Row;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.time.Time;

/** Increments a counter under its ETag, either in its own process or with others in one process. */
final class CountingProcess {

    private CountingProcess() {}

    public static void main(String[] arguments) {
        try (EmbeddedStorage storage = EmbeddedStorage.open(Path.of(arguments[0]), Time.system())) {
            count(storage, Integer.parseInt(arguments[1]));
        }
    }

    static void count(EmbeddedStorage storage, int times) {
        for (int i = 0; i < times; i++) {
            increment(storage);
        }
    }

    private static void increment(EmbeddedStorage storage) {
        WriteResult result;
        do {
            Row row = storage.storage().tables().get("counter", "p", "r").orElseThrow();
            Values next = Values.of("N", row.values().number("N", -1) + 1);
            result = storage.storage().tables().write("counter", "p", Write.replace(row, next));
        } while (!result.written());
    }
}
