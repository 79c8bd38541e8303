package org.azuremail.storage.embedded;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;

/** Runs in its own process, writes endlessly, and prints a line for each acknowledged write. */
final class AcknowledgingWriter {

    private static final int THREADS = 4;

    private AcknowledgingWriter() {}

    public static void main(String[] arguments) {
        EmbeddedStorage storage = EmbeddedStorage.open(Path.of(arguments[0]), Time.system());
        storage.storage().tables().createTable("killed");
        storage.storage().queues().createQueue("killed");
        storage.storage().blobs().createContainer("killed");
        for (int thread = 0; thread < THREADS; thread++) {
            String name = arguments[1] + "-" + thread;
            new Thread(() -> write(storage, name)).start();
        }
    }

    private static void write(EmbeddedStorage storage, String name) {
        for (int i = 0; true; i++) {
            String key = name + "-" + i;
            Values values = Values.of("Key", key);
            storage.storage()
                    .tables()
                    .write("killed", name, List.of(Write.insert(key, values), Write.insert(key + "!", values)));
            say("row " + name + " " + key);
            storage.storage().queues().send("killed", key);
            say("item " + key);
            if (i % 40 == 0) {
                byte[] content = key.repeat(100_000).getBytes(StandardCharsets.UTF_8);
                storage.storage().blobs().put("killed", key, content, BlobStore.ALWAYS);
                say("blob " + key);
            }
        }
    }

    /** Prints a line in one system call, so that a kill never leaves half of it. */
    private static void say(String line) {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        System.out.write(bytes, 0, bytes.length);
        System.out.flush();
    }
}
