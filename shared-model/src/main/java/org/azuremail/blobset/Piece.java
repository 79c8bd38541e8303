package org.azuremail.blobset;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The input of one step of a job, besides values.
 *
 * @param next where the step before ended; {@code null} for the first step
 * @param startedAt of the job: the same for all of its pieces
 * @param queue puts items on the queues of their classes, in batches as their types say
 * @param files stores a part of the job's file and returns its name; the part belongs to the job once a result with its name counts
 */
public record Piece(
        String job,
        Map<String, String> about,
        Instant startedAt,
        @Nullable String next,
        Consumer<List<Object>> queue,
        Function<byte[], String> files) {}
