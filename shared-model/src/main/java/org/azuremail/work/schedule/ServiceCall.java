package org.azuremail.work.schedule;

import java.time.Duration;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.service.ScheduledService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a scheduled service once, and records whether the run succeeded. */
final class ServiceCall {

    private static final Logger LOG = LoggerFactory.getLogger(ServiceCall.class);

    private ServiceCall() {}

    static void make(ScheduledService service, WorkRuntime runtime) {
        Duration began = runtime.time().elapsed();
        boolean succeeded = false;
        try {
            service.run();
            succeeded = true;
        } catch (InterruptedException e) {
            LOG.info("{} was interrupted by the stop", service.name());
        } catch (Exception e) {
            runtime.failures().failed(service.name(), e);
        } finally {
            runtime.metrics()
                    .ran(service.name(), succeeded, runtime.time().elapsed().minus(began));
        }
    }
}
