package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.azuremail.delivery.DeliveryLimits;
import org.azuremail.limit.Wait;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.message.Outcome;
import org.azuremail.message.Schedule;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.subscription.Origin;

/** One message, sent by two schedulers and three senders while somebody leaves and somebody pauses, edits and resumes. */
final class InterleavedCampaign {

    private static final DeliveryLimits LIMITS = new DeliveryLimits(
            5, 7, 4, Duration.ofSeconds(30), Duration.ofSeconds(5), Duration.ofSeconds(60), Duration.ofSeconds(60));
    private static final int RECIPIENTS = 12;
    private static final Duration BOUND = Duration.ofMinutes(40);
    private static final String LEAVER = "v03@crowd.test";

    private final Random random;
    private final SimulatedWorld world = new SimulatedWorld(SlowProvider.LOT);
    private final Baton baton;
    private final Witness witness;
    private final SlowProvider provider;
    private final OnUnknown onUnknown;
    private final ListName list;
    private final MessageRef ref;
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private int peopleAtWork;
    private boolean over;

    InterleavedCampaign(long seed) {
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        onUnknown = seed % 2 == 0 ? OnUnknown.HOLD : OnUnknown.RESEND;
        list = world.list("crowd", RECIPIENTS, 2);
        ref = world.message(list, onUnknown);
        baton = new Baton(random, world.time, BOUND);
        witness = new Witness(baton, onUnknown, LIMITS.ownMargin());
        provider = new SlowProvider(baton, witness, random);
    }

    /** Runs until everything has come to rest, then looks at what is on record. */
    void run() throws Exception {
        world.storage.hook(everyCallIsAPoint());
        schedulers();
        senders();
        people();
        baton.add("watch", this::watch);
        baton.run();
        world.storage.hook(CallHook.NONE);
        check();
    }

    private CallHook everyCallIsAPoint() {
        return new CallHook() {
            @Override
            public void before(Call call) {
                baton.point(() -> call.kind() + " " + call.place() + " " + call.partition());
            }

            @Override
            public void after(Call call) {
                baton.point(() -> "heard " + call.kind());
            }
        };
    }

    private void schedulers() {
        for (int i = 1; i <= 2; i++) {
            SimulatedProcess process = process();
            baton.add(
                    "scheduler" + i,
                    () -> untilOver(20, () -> {
                        process.look();
                        process.drain(process.fanOut);
                    }));
        }
    }

    private void senders() {
        for (int i = 1; i <= 3; i++) {
            SimulatedProcess process = process();
            int threads = i == 3 ? 2 : 1;
            for (int thread = 1; thread <= threads; thread++) {
                baton.add("sender" + i + "." + thread, () -> untilOver(10, () -> process.drain(process.sender)));
            }
        }
    }

    private void untilOver(int restSeconds, Baton.Body body) throws Exception {
        while (!over) {
            body.run();
            baton.sleep(Duration.ofMillis(random.nextInt(restSeconds * 1000)));
        }
    }

    /** A process on a host of its own, whose clock is up to half a minute off. */
    private SimulatedProcess process() {
        Duration offset = Duration.ofSeconds(random.nextInt(61) - 30);
        Storage real = world.storage.storage();
        Storage own = new Storage(
                new WatchedTables(real.tables(), baton, witness, world.time, offset),
                new UnreliableQueues(real.queues(), random),
                real.blobs());
        OwnClock clock = new OwnClock(world.time, offset, baton);
        SimulatedProcess process = new SimulatedProcess(own, clock, world.ids, LIMITS, provider, this::tokens);
        baton.neverInside(process.mails);
        processes.add(process);
        return process;
    }

    private Wait tokens(int mails) {
        baton.point(() -> "takes tokens");
        return random.nextInt(8) > 0 ? Wait.NONE : new Wait(Duration.ofSeconds(1 + random.nextInt(4)), "limit reached");
    }

    private void people() {
        SimulatedProcess web = process();
        person("leaver", () -> {
            web.feature.subscriptions().leave(list, new EmailAddress(LEAVER), Origin.link(null));
            witness.hasLeft(LEAVER);
        });
        person("admin", () -> pauseEditResume(web));
    }

    private void person(String name, Baton.Body act) {
        peopleAtWork++;
        baton.add(name, () -> {
            baton.sleep(Duration.ofMillis(random.nextInt(45_000)));
            act.run();
            peopleAtWork--;
        });
    }

    private void pauseEditResume(SimulatedProcess web) {
        if (!web.control.pause(ref, "")) {
            return;
        }
        witness.hasPaused();
        baton.sleep(Duration.ofMillis(random.nextInt(60_000)));
        web.messages.findActive(ref).ifPresent(found -> edit(web, found));
        witness.resumes();
        web.control.resume(ref);
    }

    private void edit(SimulatedProcess web, Versioned<Message> found) {
        Schedule schedule = new Schedule(world.time.instant(), ZoneOffset.UTC);
        Messages.Change change = new Messages.Change(list, "Changed", null, null, schedule, onUnknown);
        if (web.messages.edit(ref, found.etag(), change) instanceof Messages.Editing.Edited) {
            witness.hasEdited();
        }
    }

    private void watch() {
        while (peopleAtWork > 0
                || !baton.atOnce(() -> new MessageStore(world.storage.tables()).active())
                        .isEmpty()) {
            baton.sleep(Duration.ofSeconds(5));
        }
        over = true;
    }

    private void check() {
        for (SimulatedProcess process : processes) {
            assertThat(process.thrown).as("thrown by handlers").isEmpty();
        }
        Map<String, Outcome> outcomes = new TreeMap<>(world.outcomes(ref));
        List<String> recipients = new ArrayList<>(SimulatedWorld.verified("crowd", RECIPIENTS));
        if (!outcomes.containsKey(LEAVER)) {
            recipients.remove(LEAVER);
        }
        world.assertAccounted(ref, recipients);
        assertThat(world.messageRows()).as("rows left over").isEmpty();
        assertThat(world.deadLetters()).isEmpty();
        outcomes.forEach(this::check);
    }

    private void check(String address, Outcome outcome) {
        int times = witness.timesTaken(address);
        if (outcome == Outcome.SENT) {
            assertThat(times).as("Sent, so taken: " + address).isPositive();
        }
        if (Set.of(Outcome.SKIPPED, Outcome.FAILED).contains(outcome)) {
            assertThat(times).as(outcome + ", so not taken: " + address).isZero();
        }
        if (outcome == Outcome.FAILED) {
            assertThat(address).isEqualTo(SlowProvider.REFUSED);
        }
        if (outcome == Outcome.SKIPPED) {
            assertThat(address).isEqualTo(LEAVER);
        }
    }

    Baton baton() {
        return baton;
    }

    Witness witness() {
        return witness;
    }
}
