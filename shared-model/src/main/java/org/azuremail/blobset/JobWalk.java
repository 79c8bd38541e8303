package org.azuremail.blobset;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.BlobStore.BlobPage;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.work.queue.WorkQueues;

/** Finds out what chunks a level of a job has, and puts a work item for each. */
record JobWalk(JobStore jobs, BlobStore blobs, BlobSets sets, WorkQueues queues, Time time) {

    private static final int CHUNKS_A_BATCH = 15;

    /** Goes on until all chunks of the level are known; a repeat goes on where the last batch ended. */
    <T> void walk(SetJob<T, ?> function, String id, Job begun) throws JobFailure {
        boolean certain = begun.state() == JobState.WALKING;
        blobs.createContainer(BlobSet.CONTAINER);
        if (begun.level().number() == 0
                && begun.level().chunks() == 0
                && SetJobs.ownSet(id).equals(begun.order().set())) {
            function.fill(
                    sets.set(begun.order().set(), function.values()),
                    begun.order().about());
        }
        Optional<Versioned<Job>> job = jobs.find(id);
        while (job.isPresent() && job.get().value().state() == JobState.WALKING) {
            certain &= step(function, id, job.get());
            job = jobs.find(id);
        }
        if (!certain) {
            putUnfinished(id);
        }
    }

    /** Puts an item for each chunk that is not finished: some may be on the queue already, which does no harm. */
    void putUnfinished(String id) {
        jobs.find(id).map(Versioned::value).ifPresent(job -> jobs.chunks(
                        id, job.level().number())
                .filter(chunk -> !chunk.done())
                .forEach(chunk -> queues.put(new JobItem(id, job.level().number(), chunk.number()))));
    }

    /** @return whether the items of what was written are on the queue for sure */
    private boolean step(SetJob<?, ?> function, String id, Versioned<Job> before) {
        Job job = before.value();
        List<JobChunk> chunks = new ArrayList<>();
        Job after = job.level().number() == 0 ? walkSet(job, function.together(), chunks) : walkBelow(job, chunks);
        if (!jobs.add(id, before, chunks, after)) {
            return false;
        }
        chunks.forEach(chunk -> queues.put(new JobItem(id, job.level().number(), chunk.number())));
        return true;
    }

    private Job walkSet(Job job, int together, List<JobChunk> chunks) {
        String prefix = BlobSet.prefixOf(job.order().set());
        int limit = Math.min(TableStore.MAX_PAGE, together * CHUNKS_A_BATCH);
        BlobPage page = blobs.list(BlobSet.CONTAINER, prefix, limit, job.level().continuation());
        List<String> elements = page.blobs().stream()
                .map(blob -> blob.name().substring(prefix.length()))
                .toList();
        for (int from = 0; from < elements.size(); from += together) {
            List<String> some = elements.subList(from, Math.min(from + together, elements.size()));
            chunks.add(JobChunk.found(0, job.level().chunks() + chunks.size(), some));
        }
        return job.walked(chunks.size(), page.continuation(), page.continuation() == null, time.instant());
    }

    private Job walkBelow(Job job, List<JobChunk> chunks) {
        int all = (job.level().below() + ChunkWork.RESULTS - 1) / ChunkWork.RESULTS;
        for (int number = job.level().chunks(); number < all && chunks.size() < CHUNKS_A_BATCH; number++) {
            chunks.add(JobChunk.found(job.level().number(), number, List.of()));
        }
        return job.walked(chunks.size(), null, job.level().chunks() + chunks.size() == all, time.instant());
    }
}
