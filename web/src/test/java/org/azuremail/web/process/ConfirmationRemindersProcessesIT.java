package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.azuremail.blobset.JobState;
import org.azuremail.blobset.SetJobs;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.Lists;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.outbox.OutboxStore;
import org.azuremail.report.ConfirmationReminders;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.work.DrivenWorld;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Checks that a job asks the unconfirmed people of a list again: it collects them as a set, creates a work item for
 * each, and reports its end.
 */
class ConfirmationRemindersProcessesIT {

    private static final ListName LIST = new ListName("news");
    private static final int UNCONFIRMED = 120;

    private final DrivenWorld world = new DrivenWorld();
    private final IdleProcesses processes = new IdleProcesses(world);

    @AfterEach
    void close() {
        processes.close();
    }

    @Test
    void k15_k18_everybodyWhoHasNotConfirmedGetsOneEmail() throws Exception {
        ConfigurableApplicationContext web = processes.start("web");
        processes.start("scheduler");
        processes.start("sender");
        world.run(Duration.ofMinutes(10));
        Mailbox from = new Mailbox(new EmailAddress("news@example.org"), "News");
        MailingList list =
                Lists.with(MailingList.of(LIST, "News", from, OptIn.DOUBLE, world.time.instant()), "shards", 2);
        web.getBean(ListStore.class).create(list);
        for (int i = 0; i < UNCONFIRMED + 5; i++) {
            web.getBean(Subscriptions.class)
                    .adminAdd(
                            LIST,
                            new EmailAddress("v" + i + "@example.org"),
                            Profile.NONE,
                            i >= UNCONFIRMED,
                            Origin.admin("ann"));
        }
        world.run(Duration.ofMinutes(1));
        ConfirmationReminders reminders = web.getBean(ConfirmationReminders.class);

        SetJobs jobs = web.getBean(SetJobs.class);
        String id = jobs.newId();

        ConfirmationReminders.ReminderResult started = reminders.start(id, list, UNCONFIRMED, "ann@example.org");
        assertThat(started).isInstanceOf(ConfirmationReminders.ReminderResult.Started.class);
        assertThat(reminders.start(jobs.newId(), list, UNCONFIRMED, "bob@example.org"))
                .as("while it goes on")
                .isInstanceOf(ConfirmationReminders.ReminderResult.AlreadyAsking.class);
        assertThat(((ConfirmationReminders.ReminderResult.Started)
                                reminders.start(id, list, UNCONFIRMED, "ann@example.org"))
                        .job())
                .as("repeated")
                .extracting(SetJobs.Status::id)
                .isEqualTo(id);
        world.run(Duration.ofMinutes(10));

        assertThat(jobs.find(id).orElseThrow())
                .satisfies(job -> assertThat(job.state()).isEqualTo(JobState.DONE))
                .satisfies(job -> assertThat(job.handled()).isEqualTo(UNCONFIRMED));
        List<String> mailed = web.getBean(OutboxStore.class).newest(500, null).items().stream()
                .map(entry -> entry.to().toString())
                .toList();
        assertThat(mailed).hasSize(UNCONFIRMED).doesNotHaveDuplicates();
        assertThat(reminders.last(list).orElseThrow().by()).isEqualTo("ann@example.org");
    }
}
