package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.azuremail.limit.Wait;
import org.azuremail.list.ListName;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.storage.Storage;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;

/** One message, sent by two schedulers and three senders while people do whatever they may do to it and to its list. */
final class InterleavedCampaign {

    private static final int RECIPIENTS = 12;
    private static final Duration BOUND = Duration.ofMinutes(20);

    private final Random random;
    private final SimulatedWorld world = new SimulatedWorld(SlowProvider.LOT);
    private final Baton baton;
    private final Witness witness;
    private final SlowProvider provider;
    private final OnUnknown onUnknown;
    private final ListName list;
    private final MessageRef ref;
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final People people;
    private boolean over;

    InterleavedCampaign(long seed) {
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        onUnknown = seed % 2 == 0 ? OnUnknown.HOLD : OnUnknown.RESEND;
        list = world.list("crowd", RECIPIENTS, 2);
        ref = world.message(list, onUnknown);
        baton = new Baton(random, world.time, BOUND);
        witness = new Witness(baton, onUnknown, Shrunk.LIMITS.ownMargin());
        provider = new SlowProvider(baton, witness, random);
        people = new People(random, baton, witness, this::process, list, ref);
    }

    /** Runs until everything has come to rest, then looks at what is on record. */
    void run() throws Exception {
        world.storage.hook(everyCallIsAPoint());
        schedulers();
        senders();
        people.come();
        baton.add("watch", this::watch);
        baton.run();
        world.storage.hook(CallHook.NONE);
        for (SimulatedProcess process : processes) {
            assertThat(process.thrown).as("thrown by handlers").isEmpty();
        }
        new Aftermath(world, witness, people, ref, RECIPIENTS).check();
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
                        if (people.deletedTheList()) {
                            process.listDeletion.service().run();
                        }
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
        SimulatedProcess process = new SimulatedProcess(own, clock, world.ids, Shrunk.LIMITS, provider, this::tokens);
        baton.neverInside(process.mails);
        processes.add(process);
        return process;
    }

    private Wait tokens(int mails) {
        baton.point(() -> "takes tokens");
        return random.nextInt(8) > 0 ? Wait.NONE : new Wait(Duration.ofSeconds(1 + random.nextInt(4)), "limit reached");
    }

    private void watch() {
        while (people.atWork() || baton.frozen() > 0 || somethingIsLeft()) {
            baton.sleep(Duration.ofSeconds(5));
        }
        baton.stirred();
        over = true;
    }

    private boolean somethingIsLeft() {
        return baton.atOnce(
                () -> !new MessageStore(world.storage.tables()).active().isEmpty()
                        || (people.deletedTheList()
                                && world.process.lists.find(list).isPresent()));
    }

    Baton baton() {
        return baton;
    }

    Witness witness() {
        return witness;
    }
}
