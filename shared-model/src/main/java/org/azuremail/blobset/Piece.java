package org.azuremail.blobset;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The piece that a step of a job is about.
 *
 * @param next where the step before ended; {@code null} at the first
 * @param startedAt of the job: the same for all of its pieces
 * @param queue puts items on the queues of their classes, as many together as their types suggest
 * @param files stores a part of the job's file and says its name; it is the job's once a result that names it counts
 */
public record Piece(
        String job,
        Map<String, String> about,
        Instant startedAt,
        @Nullable String next,
        Consumer<List<Object>> queue,
        Function<byte[], String> files) {}
