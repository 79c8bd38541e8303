package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.azuremail.delivery.range.DeliveryLimits;
import org.azuremail.delivery.range.MailItem;
import org.azuremail.limit.RateLimitWait;
import org.azuremail.list.ListName;
import org.azuremail.list.SegmentStore;
import org.azuremail.mail.OnUnknown;
import org.azuremail.mailclass.ClassSettings;
import org.azuremail.message.Audience;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.reason.Reason;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.ScheduledService;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/**
 * One message, sent by two schedulers and three senders while people change it and its list in any way. In one world of
 * four, two messages of other classes are sent beside it in a strict pool. The seed chooses the kind of world: several
 * hosts or one machine, the errors of their clocks, whether processes die and storage calls go wrong, how long lots are
 * compared with a clear, whether senders keep a journal, and whether the provider's answers arrive.
 */
final class InterleavedCampaign {

    private static final int RECIPIENTS = 14;
    private static final int LONG_LOT = 7;
    private static final List<String> CLASSES = List.of("High", "Normal", "Low");

    /** One of this many worlds has a message of each class. */
    private static final int ALL_CLASSES_ONE_IN = 4;

    private static final int NEIGHBOURS_READERS = 4;

    /**
     * One of this many worlds has rows of the largest allowed size, at the shipped limits. A batch cannot contain all
     * of them.
     */
    private static final int LARGEST_ONE_IN = 100;

    private static final int MANY_RECIPIENTS = 190;

    /**
     * The longest step in worlds with the largest rows. These are read in some sixty pages; at a slower pace, no read
     * would end within a lease.
     */
    private static final Duration FOR_MANY_PAGES = Duration.ofMillis(40);

    private static final int ATTRIBUTES = 12;
    private static final String LARGEST_ATTRIBUTE = "\"".repeat(1_000);
    private static final Duration BOUND = Duration.ofMinutes(20);

    /**
     * The age of rows that exist before people act. It is enough for the daily sweeps, and the day is a Monday, so the
     * sweeps also check drafts.
     */
    private static final Duration OLD = Duration.ofDays(4);

    private final Random random;
    private final SimulatedWorld world = new SimulatedWorld(SlowProvider.LOT);
    private final Baton baton;
    private final Witness witness;
    private final Host.Setting setting;
    private final int recipients;
    private final ListName list;
    private final MessageRef ref;
    private final Map<MessageRef, List<String>> neighbours = new LinkedHashMap<>();
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final Set<String> dead = new HashSet<>();
    private final People people;
    private final OwnClock machinesClock;
    private final int mostFaults;
    private final String suspendable;
    private boolean suspended;
    private boolean over;

    InterleavedCampaign(long seed) throws IOException {
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        OnUnknown onUnknown = seed % 2 == 0 ? OnUnknown.HOLD : OnUnknown.RESEND;
        boolean largest = seed % LARGEST_ONE_IN == 0;
        if (seed % ALL_CLASSES_ONE_IN == 1) {
            world.classes = ClassSettings.classes("pool=strict", "ageing=20s");
            world.restart();
        }
        recipients = largest ? MANY_RECIPIENTS : RECIPIENTS;
        world.attributes = largest ? largestAttributes() : Map.of();
        list = world.list("crowd", recipients, 2);
        world.list(People.ELSEWHERE.value(), recipients, 2);
        Duration notice = random.nextInt(3) == 0 ? Duration.ofSeconds(1 + random.nextInt(90)) : Duration.ZERO;
        People.TWICE.forEach(address -> world.subscriber(People.ELSEWHERE, address, true));
        new SegmentStore(world.storage.tables()).insert(People.SEGMENT);
        List<Audience> audiences = People.AUDIENCES;
        Audience audience = random.nextBoolean() ? Audience.of(list) : audiences.get(random.nextInt(audiences.size()));
        ref = world.message(
                audience, onUnknown, world.time.instant().plus(OLD).plus(notice), CLASSES.get((int) (seed % 3)));
        suspendable = world.classes.of(CLASSES.get((int) (seed % 3))).queue(MailItem.TYPE.queue());
        if (world.classes.strict()) {
            CLASSES.stream()
                    .filter(other -> !other.equals(CLASSES.get((int) (seed % 3))))
                    .forEach(other -> neighbour(other, onUnknown));
        }
        world.time.advance(OLD);
        baton = largest ? new Baton(random, world.time, BOUND, FOR_MANY_PAGES) : new Baton(random, world.time, BOUND);
        boolean oneMachine = random.nextInt(4) == 0;
        boolean longLots = random.nextBoolean();
        boolean journals = random.nextInt(4) == 0;
        mostFaults = random.nextInt(3);
        DeliveryLimits many = largest ? DeliveryLimits.SHARED : longLots ? Shrunk.LONG_LOTS : Shrunk.LIMITS;
        int lot = largest ? MANY_RECIPIENTS : longLots ? LONG_LOT : SlowProvider.LOT;
        DeliveryLimits limits = oneMachine ? many.withSkew(Duration.ZERO) : many;
        witness = new Witness(baton, onUnknown, limits, nonce -> Host.Setting.died(dead, nonce));
        SlowProvider provider = new SlowProvider(baton, witness, random, lot, journals, random.nextInt(6) == 0);
        Path disks = journals ? Files.createTempDirectory("interleaved") : null;
        setting = new Host.Setting(
                world, baton, witness, random, provider, this::tokens, limits, disks, oneMachine, dead, processes);
        machinesClock = new OwnClock(world.time, baton, random, OwnClock.Fault.NONE);
        people = new People(
                random,
                baton,
                witness,
                () -> host("web", false).process(),
                list,
                ref,
                () -> world.list("crowd", recipients, 2));
    }

    private void neighbour(String mailClass, OnUnknown onUnknown) {
        String name = "neighbour" + mailClass.toLowerCase(Locale.ROOT);
        ListName readers = world.list(name, NEIGHBOURS_READERS, 0);
        Instant due = world.time.instant().plus(OLD);
        neighbours.put(
                world.message(Audience.of(readers), onUnknown, due, mailClass),
                SimulatedWorld.verified(name, NEIGHBOURS_READERS));
    }

    private static Map<String, String> largestAttributes() {
        return IntStream.range(0, ATTRIBUTES)
                .boxed()
                .collect(Collectors.toMap(number -> "a" + number, number -> LARGEST_ATTRIBUTE));
    }

    /** Runs until everything has come to rest, then checks the records. */
    void run() throws Exception {
        try {
            world.storage.hook(everyCallIsAPoint());
            schedulers();
            senders();
            baton.add("suspender", this::suspend);
            sweepers();
            people.come();
            baton.add("watch", this::watch);
            baton.run();
            world.storage.hook(CallHook.NONE);
            for (SimulatedProcess process : processes) {
                assertThat(process.thrown).as("thrown by handlers").isEmpty();
            }
            new Aftermath(world, witness, people, ref, recipients, neighbours).check();
        } finally {
            FileSystemUtils.deleteRecursively(setting.disks());
        }
    }

    private CallHook everyCallIsAPoint() {
        return new CallHook() {
            @Override
            public void before(Call call) {
                baton.point(() -> call.kind() + " " + call.place() + " " + call.partition());
                if (call.kind() == Call.Kind.DELETE_BLOB) {
                    baton.mayFreeze(Baton.FreezePoint.MESSAGE);
                }
            }

            @Override
            public void after(Call call) {
                baton.point(() -> "heard " + call.kind());
            }
        };
    }

    private void schedulers() {
        for (int i = 1; i <= 2; i++) {
            Host host = host("scheduler" + i, true);
            baton.add(
                    "scheduler" + i,
                    () -> host.works(() -> over, 20, process -> {
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
            // The pools of a process share a lock that is held during a storage call, where no thread may pass the
            // baton on.
            int threads = i == 3 && !world.classes.strict() ? 2 : 1;
            Host host = host("sender" + i, threads == 1);
            for (int thread = 1; thread <= threads; thread++) {
                Host.Turn turn = world.classes.strict() ? new StrictSender() : this::send;
                baton.add("sender" + i + "." + thread, () -> host.works(() -> over, 10, turn));
            }
        }
    }

    private void send(SimulatedProcess process) {
        process.stopping = () -> suspended;
        for (QueueService<MailItem> ofClass : process.senders) {
            if (!suspended) {
                process.drain(ofClass);
            }
        }
    }

    /** A thread that takes the items of all classes by their urgency. */
    private final class StrictSender implements Host.Turn {

        private SimulatedProcess.@Nullable Pool pool;

        @Override
        public void of(SimulatedProcess process) {
            if (pool == null || pool.process() != process) {
                pool = process.new Pool();
            }
            boolean more = true;
            while (more) {
                more = pool.runOnce(queue -> !(suspended && queue.equals(suspendable)));
            }
        }
    }

    /** In one world of four, suspends the message's class now and then, so ranges are handed back between two lots. */
    private void suspend() {
        while (setting.random().nextInt(4) == 0 && !over) {
            baton.sleep(Duration.ofSeconds(setting.random().nextInt(120)));
            suspended = true;
            baton.sleep(Duration.ofSeconds(setting.random().nextInt(60)));
            suspended = false;
        }
    }

    /**
     * Runs the daily sweeps far more often than once a day. In half of the worlds two run at a time, because a lease
     * ended.
     */
    private void sweepers() {
        for (int i = 1; i <= 1 + random.nextInt(2); i++) {
            Host host = host("sweeper" + i, true);
            baton.add(
                    "sweeper" + i,
                    () -> host.works(() -> over, 90, process -> {
                        for (ScheduledService sweep : process.sweeps) {
                            sweep.run();
                        }
                    }));
        }
    }

    /** @param maySleep whether the host does one thing at a time, so that it may sleep as a whole */
    private Host host(String name, boolean maySleep) {
        OwnClock.Fault fault = OwnClock.Fault.values()[random.nextInt(maySleep ? 3 : 2)];
        OwnClock clock = setting.oneMachine() ? machinesClock : new OwnClock(world.time, baton, random, fault);
        return new Host(setting, name, clock, name.equals("web") ? 0 : mostFaults);
    }

    private RateLimitWait tokens(int mails) {
        baton.point(() -> "takes tokens");
        return random.nextInt(8) > 0
                ? RateLimitWait.NONE
                : new RateLimitWait(Duration.ofSeconds(1 + random.nextInt(4)), Reason.ofText("limit reached"));
    }

    private void watch() {
        while (people.atWork() || baton.frozen() > 0 || somethingIsLeft()) {
            baton.sleep(Duration.ofSeconds(5));
            if (!people.atWork() && baton.atOnce(() -> paused(ref))) {
                people.resume();
            }
            neighbours.keySet().stream()
                    .filter(neighbour -> baton.atOnce(() -> paused(neighbour)))
                    .forEach(world.process.control::resume);
        }
        baton.stirred();
        over = true;
    }

    /** Returns whether the message is paused, also because of a provider's answer, which a person then handles. */
    private boolean paused(MessageRef message) {
        return world.process
                .messages
                .findActive(message)
                .filter(found -> found.value().paused())
                .isPresent();
    }

    private boolean somethingIsLeft() {
        return baton.atOnce(
                () -> !new MessageStore(world.storage.tables()).active().isEmpty()
                        || (people.deletedTheList()
                                && !people.madeAnother()
                                && world.process.lists.find(list).isPresent()));
    }

    Baton baton() {
        return baton;
    }

    Witness witness() {
        return witness;
    }

    /** Returns the number of processes that died. */
    int deaths() {
        return dead.size();
    }
}
