package org.azuremail.work;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.instance.Instances.Birth;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This process among the others: they see it from its start to its end. A process without a role is nobody's business. */
final class Presence {

    private static final Logger log = LoggerFactory.getLogger(Presence.class);
    private static final int COLLECT_EACH = 12;
    private static final Duration LAST_BEAT = Duration.ofSeconds(1);

    private final Instances instances;
    private final Supplier<Birth> birth;
    private final WorkRuntime runtime;
    private int beats;
    private Optional<Loop> loop = Optional.empty();

    Presence(Instances instances, Supplier<Birth> birth, WorkRuntime runtime) {
        this.instances = instances;
        this.birth = birth;
        this.runtime = runtime;
    }

    void start() {
        Birth born = birth.get();
        if (!born.roles().isEmpty()) {
            instances.begin(born);
            Loop beating = new Loop("work heartbeat", woken -> beat(), new WakeUp(), runtime.time(), runtime.metrics());
            beating.start();
            loop = Optional.of(beating);
        }
    }

    /** Where the storage is out of reach, others will see that this process does not live any more. */
    void end() {
        try {
            if (loop.isPresent()) {
                loop.get().stop();
                loop.get().join(LAST_BEAT);
            }
            instances.end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            log.info("this process ends without a word: {}", e.toString());
        }
        loop = Optional.empty();
    }

    private Duration beat() {
        instances.heartbeat();
        if (beats++ % COLLECT_EACH == 0) {
            instances.collect();
        }
        return Instances.HEARTBEAT;
    }
}
