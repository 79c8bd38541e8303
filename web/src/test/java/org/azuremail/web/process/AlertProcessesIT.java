package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.azuremail.attention.Attention;
import org.azuremail.attention.Cause;
import org.azuremail.attention.SendingStatus;
import org.azuremail.blobset.JobState;
import org.azuremail.blobset.SetJobs;
import org.azuremail.outbox.OutboxStore;
import org.azuremail.work.DrivenWorld;
import org.azuremail.work.Switches;
import org.azuremail.work.service.ScheduledService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Checks with a web process, a scheduler and two senders that one sender emails the admin once, in whichever process a
 * problem starts.
 */
class AlertProcessesIT {

    private final DrivenWorld world = new DrivenWorld();
    private final IdleProcesses processes = new IdleProcesses(world);
    private ConfigurableApplicationContext web;
    private ConfigurableApplicationContext sender;
    private ConfigurableApplicationContext otherSender;

    @BeforeEach
    void start() {
        web = processes.start("web");
        processes.start("scheduler");
        sender = processes.start("sender");
        otherSender = processes.start("sender");
        world.run(Duration.ofHours(1));
    }

    @AfterEach
    void close() {
        processes.close();
    }

    private List<String> emails() {
        return web.getBean(OutboxStore.class).newest(50, null).items().stream()
                .map(OutboxStore.Entry::subject)
                .toList();
    }

    @Test
    void limitation32_workThatIsStoppedOnThePageIsEmailedByASenderOnce() {
        assertThat(emails()).isEmpty();

        web.getBean(Switches.class).stop("list-deletion", "ann@example.org");
        world.run(Duration.ofMinutes(5));

        assertThat(emails()).containsExactly("AzureMail: Stopped: Deleting lists");
        world.run(Duration.ofHours(5));
        assertThat(emails()).hasSize(1);
    }

    @Test
    void aJobThatFailsIsEmailedAndLeadsToItsPage() {
        SetJobs jobs = web.getBean(SetJobs.class);
        String job = jobs.newId();
        jobs.start(job, "export", Map.of("list", "deleted"), "ann@example.org");

        world.run(Duration.ofMinutes(10));

        assertThat(jobs.find(job).orElseThrow().state()).isEqualTo(JobState.FAILED);
        assertThat(emails()).containsExactly("AzureMail: A job has failed: Export");
        SendingStatus.Sample sample = web.getBean(SendingStatus.class).sample(5, 5);
        assertThat(web.getBean(Attention.class).causes(sample))
                .extracting(Cause::page)
                .contains("/jobs/" + job);
        world.run(Duration.ofHours(2));
        assertThat(emails()).hasSize(1);
    }

    @Test
    void limitation32_aCauseThatWaitsForItsHourIsEmailedAlthoughTheSenderThatPlannedItStops() {
        Switches switches = web.getBean(Switches.class);
        switches.stop("list-deletion", "ann@example.org");
        world.run(Duration.ofMinutes(5));
        assertThat(emails()).hasSize(1);
        switches.stop("azuremailqueue", "ann@example.org");
        world.run(Duration.ofMinutes(5));
        assertThat(emails()).hasSize(1);

        world.stop(planned(sender).compareTo(planned(otherSender)) < 0 ? sender : otherSender);
        world.run(Duration.ofHours(1));

        assertThat(emails()).hasSize(2).contains("AzureMail: Stopped: List emails, Normal");
    }

    /** Returns the time until the process checks again without a signal. */
    private static Duration planned(ConfigurableApplicationContext process) {
        return process.getBean("alerts", ScheduledService.class).interval();
    }

    @Test
    void aSenderThatDiesIsEmailedByTheOther() {
        world.kill(sender);

        world.run(Duration.ofHours(2));

        assertThat(emails()).singleElement().asString().contains("does not answer");
    }

    @Test
    void signalsThatDoNotArriveAreEmailed() {
        world.signalsArrive(false);

        world.run(Duration.ofHours(3));

        assertThat(emails())
                .isNotEmpty()
                .allSatisfy(
                        subject -> assertThat(subject)
                                .matches(
                                        "AzureMail: (Signals do not reach (the process|\\d processes) on .*|\\d things need attention)"));
        assertThat(emails()).hasSizeLessThanOrEqualTo(1);
    }
}
