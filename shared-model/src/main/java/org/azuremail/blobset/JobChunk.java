package org.azuremail.blobset;

import java.util.List;
import java.util.Locale;
import org.azuremail.storage.Row;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * A chunk of a job, as stored in its row.
 *
 * @param elements the ids of elements of the set; empty above level 0
 * @param result the name of the blob with the result of the steps so far; {@code null} if they have no result
 * @param next where the next step begins; {@code null} for the first step and after the last
 * @param handled the progress of this chunk, in the job's own measure
 */
record JobChunk(
        int level,
        int number,
        List<String> elements,
        @Nullable String result,
        @Nullable String next,
        long handled,
        boolean done) {

    static final String PREFIX = "chunk:";

    static JobChunk found(int level, int number, List<String> elements) {
        return new JobChunk(level, number, elements, null, null, 0, false);
    }

    JobChunk stepped(@Nullable String blob, @Nullable String nextStep, long nowHandled) {
        return new JobChunk(level, number, elements, blob, nextStep, nowHandled, nextStep == null);
    }

    static String prefix(int level) {
        return String.format(Locale.ROOT, "%s%02d:", PREFIX, level);
    }

    static String key(int level, int number) {
        return prefix(level) + String.format(Locale.ROOT, "%07d", number);
    }

    String key() {
        return key(level, number);
    }

    Values values() {
        return Values.builder()
                .put("Level", level)
                .put("Number", number)
                .put("Elements", elements.isEmpty() ? null : String.join(",", elements))
                .put("Result", result)
                .put("Next", next)
                .put("Handled", handled)
                .put("Done", done)
                .build();
    }

    static JobChunk of(Row row) {
        Values values = row.values();
        String elements = values.string("Elements");
        return new JobChunk(
                values.integer("Level", 0),
                values.integer("Number", 0),
                elements == null ? List.of() : List.of(elements.split(",")),
                values.string("Result"),
                values.string("Next"),
                values.number("Handled", 0),
                values.bool("Done", false));
    }
}
