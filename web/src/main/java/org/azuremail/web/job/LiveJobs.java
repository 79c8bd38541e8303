package org.azuremail.web.job;

import java.util.Optional;
import org.azuremail.blobset.SetJobs;
import org.azuremail.web.live.LiveSource;
import org.azuremail.web.live.LiveState;
import org.springframework.stereotype.Component;

/** Jobs as pages follow them. */
@Component
record LiveJobs(SetJobs jobs) implements LiveSource {

    @Override
    public String topic() {
        return "job";
    }

    @Override
    public Optional<LiveState> look(String id) {
        return jobs.find(id).map(LiveJobs::state);
    }

    static LiveState state(SetJobs.Status job) {
        String version = job.state().word() + "." + job.pieces() + "." + job.done() + "." + job.handled();
        return new LiveState(version, job.state().over());
    }
}
