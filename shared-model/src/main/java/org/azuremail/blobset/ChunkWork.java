package org.azuremail.blobset;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.azuremail.blobset.JobStore.Chunk;
import org.azuremail.id.IdSource;
import org.azuremail.storage.Storage;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.run.Delivery;

/** Maps or reduces one chunk. */
final class ChunkWork {

    private final List<SetMapper<?>> mappers;
    private final List<SetReducer<?>> reducers;
    private final BlobSets sets;
    private final PartialResults results;
    private final WorkQueues queues;
    private final int chunk;

    ChunkWork(
            List<SetMapper<?>> mappers,
            List<SetReducer<?>> reducers,
            Storage storage,
            WorkQueues queues,
            IdSource ids,
            int chunk) {
        this.mappers = mappers;
        this.reducers = reducers;
        this.sets = new BlobSets(storage, ids);
        this.results = new PartialResults(storage.blobs());
        this.queues = queues;
        this.chunk = chunk;
    }

    /** @return false when the process stops before the end: then the chunk is begun again by who gets its item next */
    boolean work(String id, Job job, Chunk over, Delivery delivery) throws Exception {
        return job.kind() == Job.Kind.MAP
                ? map(mapper(job.function()), job, over, delivery)
                : reduce(reducer(job.function()), id, job, over, delivery);
    }

    /** The item that says what a reduction came to; empty when there was nothing and that means nothing. */
    Optional<Object> result(String id, Job job) {
        return resultOf(reducer(job.function()), id, job);
    }

    void forget(String id) {
        results.forget(id);
    }

    private <T> boolean map(SetMapper<T> mapper, Job job, Chunk over, Delivery delivery) throws Exception {
        BlobSet<T> set = sets.set(job.set(), mapper.form());
        for (String element : over.elements()) {
            if (delivery.stopping()) {
                return false;
            }
            Optional<T> value = set.get(element);
            if (value.isPresent()) {
                queues.put(mapper.map(element, value.get()));
            }
        }
        return true;
    }

    private <T> boolean reduce(SetReducer<T> reducer, String id, Job job, Chunk over, Delivery delivery)
            throws Exception {
        T sum = null;
        for (Optional<T> value : (Iterable<Optional<T>>) values(reducer, id, job, over)::iterator) {
            if (delivery.stopping()) {
                return false;
            }
            if (value.isPresent()) {
                sum = sum == null ? value.get() : reducer.reduce(sum, value.get());
            }
        }
        results.put(
                id,
                job.level(),
                over.number(),
                sum == null ? "" : reducer.form().writer().apply(sum));
        return true;
    }

    private <T> Stream<Optional<T>> values(SetReducer<T> reducer, String id, Job job, Chunk over) {
        if (job.level() == 0) {
            BlobSet<T> set = sets.set(job.set(), reducer.form());
            return over.elements().stream().map(set::get);
        }
        int from = over.number() * chunk;
        int to = Math.min(from + chunk, job.below());
        return IntStream.range(from, to).mapToObj(number -> partial(reducer, id, job.level() - 1, number));
    }

    private <T> Optional<Object> resultOf(SetReducer<T> reducer, String id, Job job) {
        Optional<T> value = job.chunks() == 0 ? Optional.empty() : partial(reducer, id, job.level(), 0);
        return value.or(reducer::ofNothing).map(reducer::result);
    }

    /** Empty when every value of the chunk had been removed meanwhile. */
    private <T> Optional<T> partial(SetReducer<T> reducer, String id, int level, int chunk) {
        return Optional.of(results.require(id, level, chunk))
                .filter(text -> !text.isEmpty())
                .map(reducer.form().reader());
    }

    private SetMapper<?> mapper(String name) {
        return mappers.stream()
                .filter(mapper -> mapper.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no mapper is called " + name));
    }

    private SetReducer<?> reducer(String name) {
        return reducers.stream()
                .filter(reducer -> reducer.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no reducer is called " + name));
    }
}
