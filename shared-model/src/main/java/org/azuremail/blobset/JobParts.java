package org.azuremail.blobset;

import org.azuremail.id.IdSource;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.azuremail.work.queue.WorkQueues;

/** Puts together the parts that run jobs. */
final class JobParts {

    private final WorkQueues queues;
    private final SetFunctions functions;
    private final KnownItems items;
    private final IdSource ids;
    private final Time time;
    private final JobStore jobs;
    private final JobBlobs blobs;
    private final BlobSets sets;
    private final ChunkWork chunks;
    private final JobWalk walk;
    private final JobEnd end;

    JobParts(Storage storage, WorkQueues queues, SetFunctions functions, KnownItems items, IdSource ids, Time time) {
        this.queues = queues;
        this.functions = functions;
        this.items = items;
        this.ids = ids;
        this.time = time;
        this.jobs = new JobStore(storage);
        this.blobs = new JobBlobs(storage.blobs(), ids);
        this.sets = new BlobSets(storage, ids);
        this.chunks = new ChunkWork(jobs, blobs, sets, queues, time);
        this.walk = new JobWalk(jobs, storage.blobs(), sets, queues, time);
        this.end = new JobEnd(functions, jobs, blobs, sets, chunks, items, queues, time);
    }

    SetJobs setJobs() {
        return new SetJobs(jobs, blobs, queues, items, ids, time);
    }

    JobService service() {
        return new JobService(functions, jobs, walk, chunks, end, queues, time);
    }

    JobSweep sweep(JobProperties settings) {
        return new JobSweep(jobs, end, blobs, queues, settings, time);
    }
}
