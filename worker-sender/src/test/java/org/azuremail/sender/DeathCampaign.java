package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.limit.RateLimitWait;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Outcome;
import org.azuremail.storage.Storage;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.Faults.Mode;

/**
 * One message that two schedulers and two senders send at the same time. One of them dies at one of its storage calls.
 */
final class DeathCampaign {

    static final int PROCESSES = 4;
    private static final int SCHEDULERS = 2;

    private static final int RECIPIENTS = 12;
    private static final Duration BOUND = Duration.ofMinutes(20);

    /** The processes that die with the victim. */
    enum Scope {
        /** Only the victim dies. No process replaces it; the others continue. */
        ONE,
        /** All processes die, and others start in their place. */
        ALL
    }

    private final Random random;
    private final SimulatedWorld world = new SimulatedWorld(SlowProvider.LOT);
    private final Baton baton;
    private final Witness witness;
    private final SlowProvider provider;
    private final Scope scope;
    private final MessageRef ref;
    private final List<Faults> faults = new ArrayList<>();
    private boolean died;
    private boolean over;

    DeathCampaign(long seed, OnUnknown onUnknown, Scope scope) {
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        this.scope = scope;
        ref = world.message(world.list("crowd", RECIPIENTS, 2), onUnknown);
        baton = new Baton(random, world.time, BOUND);
        witness = new Witness(baton, onUnknown, Shrunk.LIMITS);
        provider = new SlowProvider(baton, witness, random);
    }

    /** Runs the campaign. No process dies if the victim makes no such call. */
    DeathCampaign run(int victim, long call) throws Exception {
        world.storage.hook(everyCallIsAPoint());
        for (int number = 0; number < PROCESSES; number++) {
            faults.add(new Faults(Mode.DIES_AFTER, number == victim ? call : -1, this::death));
            add(number, faults.get(number));
        }
        for (int number = 0; scope == Scope.ALL && number < PROCESSES; number++) {
            addSpare(number);
        }
        baton.add("watch", this::watch);
        baton.run();
        world.storage.hook(CallHook.NONE);
        return this;
    }

    /** Returns the number of a process's storage calls. */
    long calls(int process) {
        return faults.get(process).calls();
    }

    boolean died() {
        return died;
    }

    private void death() {
        died = true;
        baton.note("dies");
        baton.stirred();
        if (scope == Scope.ALL) {
            faults.forEach(Faults::kill);
        }
    }

    private CallHook everyCallIsAPoint() {
        return new CallHook() {
            @Override
            public void before(Call call) {
                baton.point(() -> call.kind() + " " + call.place() + " " + call.partition());
            }
        };
    }

    private void add(int number, Faults own) {
        SimulatedProcess process = process(own);
        baton.add("process" + number, () -> works(number, process));
    }

    /** Adds a process that starts when all others are dead. */
    private void addSpare(int number) {
        SimulatedProcess process = process(Faults.none());
        baton.add("spare" + number, () -> {
            while (!over && !died) {
                baton.await(() -> over || died, Duration.ofMinutes(1));
            }
            baton.sleep(Duration.ofSeconds(10));
            works(number, process);
        });
    }

    private void works(int number, SimulatedProcess process) throws Exception {
        while (!over) {
            if (number < SCHEDULERS) {
                process.look();
                process.drain(process.fanOut);
            } else {
                process.drain(process.sender);
            }
            baton.sleep(Duration.ofMillis(random.nextInt(15_000)));
        }
    }

    private SimulatedProcess process(Faults own) {
        Storage real = world.storage.storage();
        Storage watched = new Storage(
                new WatchedTables(real.tables(), baton, witness, world.time),
                new UnreliableQueues(real.queues(), random),
                real.blobs());
        OwnClock clock = new OwnClock(world.time, baton, random, OwnClock.Fault.NONE);
        SimulatedProcess process = new SimulatedProcess(
                own.around(watched),
                clock,
                world.ids,
                Shrunk.LIMITS,
                new Mortal(provider, own),
                mails -> RateLimitWait.NONE);
        return process;
    }

    /** The transport of a process that may die. After its death, the process hands nothing over and gets no answers. */
    private record Mortal(MailTransport provider, Faults own) implements MailTransport {

        @Override
        public String name() {
            return provider.name();
        }

        @Override
        public int lotSize() {
            return provider.lotSize();
        }

        @Override
        public HandOverResult handOver(MailLot lot, Guard guard) {
            HandOverResult result = provider.handOver(lot, () -> {
                own.live();
                return guard.mayContinue();
            });
            own.live();
            return result;
        }
    }

    private void watch() {
        while (baton.frozen() > 0
                || baton.atOnce(
                        () -> !new MessageStore(world.storage.tables()).active().isEmpty())) {
            baton.sleep(Duration.ofSeconds(5));
        }
        baton.stirred();
        over = true;
    }

    /** Checks I1 to I3. The witness has checked the other invariants. */
    void check() {
        for (int look = 0; look < 2; look++) {
            world.time.advance(Duration.ofSeconds(70));
            world.process.look();
        }
        Books books = new Books(world, ref);
        books.assertBalanced();
        assertThat(world.find(ref).status()).isEqualTo(MessageStatus.COMPLETED);
        Map<String, RecordedOutcome> outcomes = books.outcomes();
        assertThat(outcomes.keySet()).containsExactlyInAnyOrderElementsOf(SimulatedWorld.verified("crowd", RECIPIENTS));
        outcomes.forEach((address, recorded) -> {
            int times = witness.timesTaken(address);
            Outcome outcome = recorded.outcome();
            assertThat(outcome).as(address).isNotEqualTo(Outcome.SKIPPED);
            assertThat(outcome != Outcome.SENT || times > 0)
                    .as("Sent, so taken: " + address)
                    .isTrue();
            assertThat(outcome != Outcome.FAILED || address.equals(SlowProvider.REFUSED))
                    .as("Failed: " + address)
                    .isTrue();
        });
    }

    String trace() {
        return baton.trace();
    }
}
