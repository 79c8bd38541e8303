package org.azuremail.blobset;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.blobset.BlobSet.Element;
import org.azuremail.blobset.SetJob.Step;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.service.Delivery;
import org.jspecify.annotations.Nullable;

/**
 * Runs one chunk step by step. A chunk of level 0 calls the function with values of the set, and a chunk of a higher
 * level reduces results of the level below.
 */
record ChunkWork(JobStore jobs, JobBlobs blobs, WorkQueues queues, Time time) {

    /** The most results of the level below that one chunk combines. */
    static final int RESULTS = 64;

    /** @return false if the process stops before the end of the chunk, which the next delivery then continues */
    <T, R> boolean work(SetJob<T, R> function, String id, Job job, JobItem item, Delivery delivery) throws Exception {
        Optional<Versioned<JobChunk>> chunk =
                job.level().number() == item.level() ? jobs.open(id, item.level(), item.chunk()) : Optional.empty();
        List<Element<T>> values =
                chunk.isPresent() ? values(function, job, chunk.get().value()) : List.of();
        while (chunk.isPresent() && !chunk.get().value().done()) {
            if (delivery.stopping()) {
                return false;
            }
            JobChunk next = next(function, id, job, chunk.get().value(), values);
            chunk = jobs.save(id, chunk.get(), next, time.instant());
        }
        return true;
    }

    private <T, R> JobChunk next(SetJob<T, R> function, String id, Job job, JobChunk chunk, List<Element<T>> values)
            throws Exception {
        if (chunk.level() > 0) {
            return reduced(function, id, job, chunk);
        }
        return values.isEmpty() ? chunk.stepped(null, null, 0) : stepped(function, id, job, chunk, values);
    }

    private <T, R> JobChunk stepped(SetJob<T, R> function, String id, Job job, JobChunk chunk, List<Element<T>> values)
            throws Exception {
        SetJob.Piece piece = new SetJob.Piece(
                id,
                job.order().about(),
                job.order().at(),
                chunk.next(),
                queues::putAll,
                content -> blobs.putFile(id, content));
        String before = chunk.result();
        Step<R> step = function.work(piece, values, before == null ? null : result(function, id, before));
        String blob = blobs.putResult(id, function.results().writer().apply(step.result()));
        return chunk.stepped(blob, step.next(), chunk.handled() + step.handled());
    }

    private <T, R> JobChunk reduced(SetJob<T, R> function, String id, Job job, JobChunk chunk) throws Exception {
        int from = chunk.number() * RESULTS;
        int to = Math.min(from + RESULTS, job.level().below());
        R sum = null;
        for (JobChunk below : jobs.chunks(id, chunk.level() - 1, from, to).toList()) {
            String blob = below.result();
            if (blob != null) {
                R one = result(function, id, blob);
                sum = sum == null ? one : function.reduce(sum, one);
            }
        }
        @Nullable
        String blob = sum == null
                ? null
                : blobs.putResult(id, function.results().writer().apply(sum));
        return chunk.stepped(blob, null, 0);
    }

    <R> R result(SetJob<?, R> function, String id, String blob) {
        String text = blobs.result(id, blob)
                .orElseThrow(() -> new IllegalStateException("result " + blob + " of job " + id + " is gone"));
        return function.results().reader().apply(text);
    }

    private <T> List<Element<T>> values(SetJob<T, ?> function, Job job, JobChunk chunk) {
        BlobSet<T> set = blobs.set(job.order().set(), function.values());
        List<Element<T>> values = new ArrayList<>();
        for (String element : chunk.elements()) {
            set.get(element).ifPresent(value -> values.add(new Element<>(element, value)));
        }
        return values;
    }
}
