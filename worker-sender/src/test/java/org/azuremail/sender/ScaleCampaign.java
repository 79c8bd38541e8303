package org.azuremail.sender;

import java.time.Duration;
import java.time.ZoneOffset;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.delivery.range.DeliveryLimits;
import org.azuremail.id.SeededIds;
import org.azuremail.limit.RateLimitWait;
import org.azuremail.list.MailingList;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.message.Schedule;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.work.InlineWork;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.run.QueueRunner;
import org.azuremail.work.run.StopFlag;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.service.QueueService;

/**
 * One message to very many recipients, sent by the real schedulers and senders on a simulated account. Each is a
 * process with its own places. Only the scheduler acts as if it were signalled. A place that finds no item polls again
 * after a growing pause.
 */
final class ScaleCampaign {

    /** The time between two runs of the scheduler: the shortest after which a finished range causes another run. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

    private static final long FIRST_REST = 100_000;
    private static final long LONGEST_REST = 10_000_000;

    /** The parameters of a simulation. */
    record Plan(int mails, int senders, int schedulers, Duration perLot, AccountLimits limits, long seed) {}

    /** The result of a simulation. */
    record Result(Plan plan, Duration took, SimulatedAccount account, PatientProvider provider, Message message) {

        String line() {
            return "%,d mails, %2d senders: %d:%02d min, %,d mails/s, %.3f calls and %.2f entities a mail, %d refused with 503"
                    .formatted(
                            plan.mails,
                            plan.senders,
                            took.toMinutes(),
                            took.toSecondsPart(),
                            plan.mails * 1000L / took.toMillis(),
                            (double) account.calls() / plan.mails,
                            (double) account.entities() / plan.mails,
                            account.refused());
        }
    }

    private final Plan plan;
    private final Clockwork clock = new Clockwork();
    private final SimulatedStorage storage = SimulatedStorage.forMillions(clock);
    private final SimulatedAccount account;
    private final PatientProvider provider;
    private final SeededIds ids;
    private final SimulatedProcess web;
    private final MailingList list;
    private final Storage crowded;
    private boolean over;

    private ScaleCampaign(Plan plan) {
        this.plan = plan;
        account = new SimulatedAccount(clock, plan.limits, plan.seed);
        provider = new PatientProvider(clock, plan.perLot, plan.mails, plan.seed);
        ids = new SeededIds((int) plan.seed);
        web = process(storage.storage());
        list = Crowd.list("crowd", clock.instant());
        web.lists.create(list);
        Crowd crowd =
                new Crowd(storage.tables(), list, plan.mails, Crowd.example(web, storage.storage(), clock.instant()));
        crowded = new Storage(crowd, storage.queues(), storage.blobs());
    }

    static Result run(Plan plan) throws InterruptedException {
        return new ScaleCampaign(plan).run();
    }

    private SimulatedProcess process(Storage its) {
        return new SimulatedProcess(its, clock, ids, DeliveryLimits.SHARED, provider, mails -> RateLimitWait.NONE);
    }

    private Result run() throws InterruptedException {
        MessageRef ref = message();
        Duration began = clock.elapsed();
        for (int i = 0; i < plan.schedulers; i++) {
            SimulatedProcess scheduler = metered();
            places(scheduler, scheduler.fanOut, scheduler.fanOut.concurrency());
            if (i == 0) {
                clock.add(() -> look(scheduler));
            }
        }
        for (int i = 0; i < plan.senders; i++) {
            SimulatedProcess sender = metered();
            places(sender, sender.sender, provider.concurrency());
        }
        clock.run();
        Duration took = clock.elapsed().minus(began);
        return new Result(plan, took, account, provider, web.messages.find(ref).orElseThrow());
    }

    private MessageRef message() {
        Messages.MessageCreateResult creation = web.messages.create(new Messages.NewMessage(
                list.name(),
                Draft.of("News for {{name|you}}", "<html><body><p>Hello</p></body></html>", null),
                new Schedule(clock.instant(), ZoneOffset.UTC),
                OnUnknown.HOLD,
                "test",
                false));
        return ((Messages.MessageCreateResult.Created) creation).message().ref();
    }

    private SimulatedProcess metered() {
        return process(account.around(crowded));
    }

    private void look(SimulatedProcess scheduler) {
        while (!over) {
            try {
                scheduler.look();
            } catch (StorageException throttled) {
                clock.sleepMicros(FIRST_REST);
            }
            over = web.messageStore.active().isEmpty();
            clock.sleep(BETWEEN_LOOKS);
        }
    }

    /** Adds the places of one process for one queue, and a task that renews their items. */
    private <T> void places(SimulatedProcess process, QueueService<T> service, int count) {
        Storage its = account.around(crowded);
        Leases leases = InlineWork.leases(its, clock, ids, Duration.ofMinutes(1));
        WorkRuntime runtime = InlineWork.runtime(its, process.deadLetters, leases, clock, new StopFlag());
        for (int i = 0; i < count; i++) {
            clock.add(() -> work(InlineWork.runner(runtime, new OnePlace<>(service))));
        }
        clock.add(() -> {
            while (!over) {
                runtime.renewals().runOnce();
                clock.sleep(Duration.ofSeconds(1));
            }
        });
    }

    private void work(QueueRunner<?> place) {
        long rest = FIRST_REST;
        while (!over) {
            if (took(place)) {
                rest = FIRST_REST;
            } else {
                clock.sleepMicros(rest);
                rest = Math.min(LONGEST_REST, 2 * rest + FIRST_REST);
            }
        }
    }

    private static boolean took(QueueRunner<?> place) {
        try {
            return place.runOnce() > 0;
        } catch (StorageException throttled) {
            return false;
        }
    }
}
