package org.azuremail.work;

import java.time.Duration;
import org.azuremail.time.Durations;
import org.azuremail.work.run.Loop;
import org.azuremail.work.service.LocalService;
import org.azuremail.work.signal.WakeUp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The loop of a service that runs in every process. */
final class LocalWorker implements Worker {

    private static final Logger LOG = LoggerFactory.getLogger(LocalWorker.class);

    /** The longest rest in a process that signals do not reach. */
    private static final Duration MAX_REST_WHEN_POLLING = Duration.ofSeconds(60);

    private final WorkerContext context;
    private final LocalService service;
    private final Loop loop;

    LocalWorker(WorkerContext context, LocalService service) {
        this.context = context;
        this.service = service;
        WakeUp wakeUp = new WakeUp();
        context.signals().listenToService(service.name(), wakeUp, () -> false);
        service.setWakeUp(wakeUp::signal);
        this.loop = context.runtime().loop(service.name(), this::turn, wakeUp);
    }

    private Duration turn(boolean woken) throws Exception {
        boolean deaf = context.mustPoll().getAsBoolean();
        Duration rest = service.turn(woken || deaf);
        return deaf ? Durations.min(rest, MAX_REST_WHEN_POLLING) : rest;
    }

    @Override
    public Loop loop() {
        return loop;
    }

    @Override
    public boolean join(Duration atMost) throws InterruptedException {
        boolean ended = loop.join(atMost);
        if (ended) {
            try {
                service.end();
            } catch (RuntimeException othersFindOut) {
                LOG.info("{} ends without a word: {}", service.name(), othersFindOut.toString());
            }
        }
        return ended;
    }

    @Override
    public String toString() {
        return service.name();
    }
}
