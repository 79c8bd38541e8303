package org.azuremail.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.time.Time;

/** Three rows written for each mail, in batches of 100 through the port: email row in, archive row in, email row out. */
final class RawStorage {

    private static final int BATCH = 100;
    private static final int SHARDS = 16;
    private static final int THREADS = 4;
    private static final String MESSAGE = "message";
    private static final String ARCHIVE = "messagearchive";

    private RawStorage() {}

    /** @param directory gets a fresh one of its own for this run */
    static double run(int mails, Path directory) throws Exception {
        Path fresh = Files.createTempDirectory(directory, "run");
        try (EmbeddedStorage storage = EmbeddedStorage.open(fresh, Time.system())) {
            TableStore tables = storage.tables();
            tables.createTable(MESSAGE);
            tables.createTable(ARCHIVE);
            Raw.together(mails / 4, THREADS, (from, to) -> mail(tables, "warm", from, to));
            return Raw.together(mails, THREADS, (from, to) -> mail(tables, "raw", from, to));
        }
    }

    private static void mail(TableStore tables, String message, int from, int to) {
        for (int first = from; first < to; first += BATCH) {
            String partition = String.format("mail.%02d.%s", first / BATCH % SHARDS, message);
            List<Write> in = new ArrayList<>(BATCH);
            List<Write> archived = new ArrayList<>(BATCH);
            List<Write> out = new ArrayList<>(BATCH);
            for (int number = first; number < Math.min(first + BATCH, to); number++) {
                String key = "email:" + Tally.reader(number);
                Values values = values(number);
                in.add(Write.insert(key, values));
                archived.add(Write.insert(key, outcome(values)));
                out.add(Write.delete(key));
            }
            write(tables, MESSAGE, partition, in);
            write(tables, ARCHIVE, partition, archived);
            write(tables, MESSAGE, partition, out);
        }
    }

    private static void write(TableStore tables, String table, String partition, List<Write> writes) {
        if (!(tables.write(table, partition, writes) instanceof WriteResult.Written)) {
            throw new IllegalStateException("refused in " + partition);
        }
    }

    private static Values values(int number) {
        return Values.builder()
                .put("MessageRef", 42L)
                .put("ScheduledDate", Instant.EPOCH)
                .put("SubjectLine", "News for {{name|friend}}")
                .put("ListName", "readers")
                .put("FromEmailAddress", "news@bench.test")
                .put("EmailAddress", Tally.reader(number))
                .put("SubscriberGUID", "07-0123456789abcdef" + number)
                .put("EmailSent", false)
                .put("Name", "Reader " + number)
                .put("Attributes", "{\"city\":\"Town\",\"plan\":\"Plan\"}")
                .put("Generation", 0)
                .build();
    }

    private static Values outcome(Values values) {
        return values.toBuilder()
                .put("EmailSent", true)
                .put("Outcome", "Sent")
                .put("OutcomeAt", Instant.EPOCH)
                .put("Detail", "bench1234")
                .build();
    }
}
