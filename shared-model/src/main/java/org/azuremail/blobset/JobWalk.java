package org.azuremail.blobset;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.blobset.JobStore.Chunk;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.BlobStore.BlobPage;
import org.azuremail.storage.Versioned;
import org.azuremail.work.queue.WorkQueues;

/** Finds out what chunks a level of a job has, and puts a work item for each. */
final class JobWalk {

    /** How many values or results one chunk stands over. */
    static final int USUAL_CHUNK = 64;

    private static final int CHUNKS_A_BATCH = 15;

    private final JobStore jobs;
    private final BlobStore blobs;
    private final WorkQueues queues;
    private final int chunk;

    JobWalk(JobStore jobs, BlobStore blobs, WorkQueues queues, int chunk) {
        this.jobs = jobs;
        this.blobs = blobs;
        this.queues = queues;
        this.chunk = chunk;
    }

    /** Goes on until all chunks of the level are known; a repeat goes on where the last batch ended. */
    void walk(String id) {
        boolean certain = true;
        blobs.createContainer(BlobSet.CONTAINER);
        Optional<Versioned<Job>> job = jobs.find(id);
        while (job.isPresent() && job.get().value().state() == Job.State.WALKING) {
            certain &= step(id, job.get());
            job = jobs.find(id);
        }
        if (!certain) {
            putUnfinished(id);
        }
    }

    /** Puts an item for each chunk that is not finished: some may be on the queue already, which does no harm. */
    void putUnfinished(String id) {
        jobs.find(id).map(Versioned::value).ifPresent(job -> jobs.unfinished(id, job.level())
                .forEach(number -> queues.put(new JobItem(id, job.level(), number))));
    }

    /** @return whether the items of what was written are on the queue for sure */
    private boolean step(String id, Versioned<Job> before) {
        Job job = before.value();
        List<Chunk> chunks = new ArrayList<>();
        Job after = job.level() == 0 ? walkSet(job, chunks) : walkBelow(job, chunks);
        if (!jobs.add(id, before, chunks, after)) {
            return false;
        }
        chunks.forEach(chunk -> queues.put(new JobItem(id, job.level(), chunk.number())));
        return true;
    }

    private Job walkSet(Job job, List<Chunk> chunks) {
        String prefix = BlobSet.prefixOf(job.set());
        BlobPage page = blobs.list(BlobSet.CONTAINER, prefix, chunk * CHUNKS_A_BATCH, job.continuation());
        List<String> elements = page.blobs().stream()
                .map(blob -> blob.name().substring(prefix.length()))
                .toList();
        for (int from = 0; from < elements.size(); from += chunk) {
            List<String> some = elements.subList(from, Math.min(from + chunk, elements.size()));
            chunks.add(new Chunk(job.chunks() + chunks.size(), some));
        }
        return job.walked(chunks.size(), page.continuation(), page.continuation() == null);
    }

    private Job walkBelow(Job job, List<Chunk> chunks) {
        int all = (job.below() + chunk - 1) / chunk;
        for (int number = job.chunks(); number < all && chunks.size() < CHUNKS_A_BATCH; number++) {
            chunks.add(new Chunk(number, List.of()));
        }
        return job.walked(chunks.size(), null, job.chunks() + chunks.size() == all);
    }
}
