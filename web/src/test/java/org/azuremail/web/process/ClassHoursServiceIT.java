package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import org.azuremail.message.MessageRef;
import org.azuremail.storage.QueueStore;
import org.azuremail.work.DrivenWorld;
import org.azuremail.work.Switches;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Checks with all real services of three processes that a message of a closed class waits without costs and is sent at
 * once when the class opens.
 */
class ClassHoursServiceIT {

    private static final String QUEUE = "azuremailqueue";
    private static final Duration HOUR = Duration.ofHours(1);

    /** Without a message, such an hour costs up to 199 calls. Reading the message's row adds 60. */
    private static final long MOST_CALLS = 250;

    private final DrivenWorld world = new DrivenWorld();
    private final IdleProcesses processes = new IdleProcesses(world);

    @AfterEach
    void close() {
        processes.close();
    }

    @Test
    void aMessageOutsideTheHoursOfItsClassWaitsLikeAnIdleServiceAndLeavesWhenTheyBegin() {
        ZonedDateTime opening =
                world.time.instant().atZone(ZoneOffset.UTC).plusHours(9).truncatedTo(ChronoUnit.HOURS);
        ConfigurableApplicationContext web =
                processes("azuremail.mail-classes.of.normal.hours=%tR-%tR".formatted(opening, opening.plusHours(1)));
        MessageRef message = IdleMessage.write(web, world.time.instant());

        world.run(HOUR);
        assertThat(world.callsWithin(HOUR)).isLessThan(MOST_CALLS);
        assertThat(items()).isEqualTo(1);
        runUntil(opening.toInstant().minusSeconds(1));
        assertThat(items()).isEqualTo(1);
        assertThat(IdleMessage.sent(web, message)).isZero();

        world.run(Duration.ofSeconds(3));
        assertThat(IdleMessage.sent(web, message)).isEqualTo(1);
        assertThat(items()).isZero();
    }

    @Test
    void aMessageOfASuspendedClassWaitsLikeAnIdleServiceAndLeavesWhenTheClassIsResumed() {
        ConfigurableApplicationContext web = processes();
        web.getBean(Switches.class).stop(QUEUE, "ann@example.org");
        MessageRef message = IdleMessage.write(web, world.time.instant());

        world.run(HOUR.multipliedBy(2));
        assertThat(world.callsWithin(HOUR)).isLessThan(MOST_CALLS);
        assertThat(items()).isEqualTo(1);
        assertThat(IdleMessage.sent(web, message)).isZero();

        web.getBean(Switches.class).start(QUEUE);
        world.run(Duration.ofMinutes(1));
        assertThat(IdleMessage.sent(web, message)).isEqualTo(1);
        assertThat(items()).isZero();
    }

    private ConfigurableApplicationContext processes(String... settings) {
        ConfigurableApplicationContext web = processes.start("web", settings);
        processes.start("scheduler", settings);
        processes.start("sender", settings);
        world.run(HOUR.multipliedBy(2));
        return web;
    }

    private void runUntil(Instant end) {
        world.run(Duration.between(world.time.instant(), end));
    }

    private long items() {
        QueueStore queues = world.storage.queues();
        return queues.approximateCount(QUEUE);
    }
}
