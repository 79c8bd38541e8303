package org.azuremail.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.id.IdSource;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.Time;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.pace.PollingCurve;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.Partitions;
import org.azuremail.work.queue.Payloads;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.run.QueueRunner;
import org.azuremail.work.run.Sheet;
import org.azuremail.work.run.SheetService;
import org.azuremail.work.run.StopFlag;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.service.Tuning;
import org.azuremail.work.service.WorkResult;
import org.azuremail.work.signal.InProcessSignals;
import org.azuremail.work.signal.MessageActivity;
import org.azuremail.work.signal.Signals;
import org.azuremail.work.signal.WakeUp;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Checks a queue worker with real threads. Its loop rests for hours, so any prompt action was triggered by a signal.
 */
class QueueWorkerTest {

    private static final Duration HOURS = Duration.ofHours(8);
    private static final Duration SOON = Duration.ofSeconds(10);

    private final SimulatedStorage storage = new SimulatedStorage(Time.system());
    private final InProcessSignals signals = new InProcessSignals();
    private final Payloads payloads = new Payloads(storage.storage(), IdSource.secure(), InlineWork.OVERFLOW_OVER);
    private final WorkQueues queues = new WorkQueues(
            storage.storage(),
            payloads,
            new Partitions(storage.storage(), java.util.Map.of(), Time.system()),
            () -> java.util.List.of(Sheet.TYPE),
            new SharedSignals(signals, new MessageActivity(Time.system()), elsewhere -> {}));
    private final ExecutorService handlers = Executors.newCachedThreadPool();
    private final Set<String> handled = ConcurrentHashMap.newKeySet();
    private final WakeUp wakeUp = new WakeUp();
    private SheetService.Script script = (sheet, delivery) -> {
        handled.add(sheet.text());
        return WorkResult.DONE;
    };
    private QueueWorker worker = worker(1);

    private QueueWorker worker(int concurrency) {
        PollingCurve restsForHours = new PollingCurve(HOURS, () -> 0.5);
        for (int i = 0; i < 20; i++) {
            restsForHours.next();
        }
        return worker(concurrency, restsForHours);
    }

    private QueueWorker worker(int concurrency, PollingCurve curve) {
        DeadLetters deadLetters = new DeadLetters(storage.storage(), queues);
        Leases leases = InlineWork.leases(storage.storage(), Time.system(), IdSource.secure(), Duration.ZERO);
        WorkRuntime runtime = InlineWork.runtime(
                storage.storage(), deadLetters, leases, Time.system(), handlers, new StopFlag(), Tuning.NONE);
        SheetService service = new SheetService((sheet, delivery) -> script.handle(sheet, delivery));
        signals.listenToQueue("sheets", wakeUp, false);
        QueueRunner<Sheet> runner = InlineWork.runner(runtime, service, concurrency, wakeUp::signal);
        MessageActivity activity = new MessageActivity(Time.system());
        Switches switches = new Switches(storage.storage(), Signals.NONE, signals, Time.system());
        WorkProperties settings =
                Settings.of(Map.of("azuremail.work.max-idle", "8h", "azuremail.work.safety-poll", "never"));
        WorkerContext context = new WorkerContext(runtime, settings, signals, activity, switches, () -> false, false);
        IdleRest idle = new IdleRest(java.util.List.of(service), settings, activity, () -> false, Time.system());
        return new QueueWorker(runner, curve, idle, wakeUp, context);
    }

    @AfterEach
    void stop() throws Exception {
        storage.hook(CallHook.NONE);
        worker.stop();
        worker.interrupt();
        assertThat(worker.join(SOON)).isTrue();
        handlers.shutdownNow();
    }

    private void startAndGoIdle() {
        worker.start();
        await().atMost(SOON).until(() -> storage.calls(Call.Kind.RECEIVE) >= 1);
    }

    private void awaitHandled(String... texts) {
        await().atMost(SOON).untilAsserted(() -> assertThat(handled).contains(texts));
    }

    @Test
    @DisplayName("Q-2: an item that is put on the queue of an idle consumer is picked up at once")
    void q2_aSignalWakesAnIdleConsumer() {
        startAndGoIdle();

        queues.put(new Sheet("a"));

        awaitHandled("a");
    }

    @Test
    @DisplayName("Q-4: a signal between the last empty look and the rest is not lost")
    void q4_aSignalDuringWindDownIsNotLost() {
        storage.hook(new CallHook() {
            private boolean put;

            @Override
            public void after(Call call) {
                if (call.kind() == Call.Kind.RECEIVE && !put) {
                    put = true;
                    queues.put(new Sheet("just too late"));
                }
            }
        });

        worker.start();

        awaitHandled("just too late");
    }

    @Test
    @DisplayName("Q-4, Q6: a hundred signals start one loop only, and make few looks")
    void q4_aHundredSignalsStartOneLoop() {
        startAndGoIdle();
        CountDownLatch allGiven = new CountDownLatch(1);
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.RECEIVE) {
                    awaitUninterruptibly(allGiven);
                }
            }
        });
        long before = storage.calls(Call.Kind.RECEIVE);

        for (int i = 0; i < 100; i++) {
            signals.wakeConsumer("sheets");
        }
        allGiven.countDown();
        queues.put(new Sheet("the last"));
        awaitHandled("the last");

        assertThat(Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().equals("work sheets")))
                .hasSize(1);
        assertThat(storage.calls(Call.Kind.RECEIVE) - before)
                .as("looks, of which the first was under way while the signals came")
                .isLessThan(12);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        boolean interrupted = false;
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    @DisplayName("Q7: signals for other queues are ignored")
    void q7_otherQueuesSignalsAreIgnored() {
        startAndGoIdle();
        storage.queues().send("sheets", Sheet.TYPE.write(new Sheet("unsignalled")));

        signals.wakeConsumer("others");
        signals.wakeService("sheets");

        assertThat(storage.calls(Call.Kind.RECEIVE)).isEqualTo(1);
        signals.wakeConsumer("sheets");
        awaitHandled("unsignalled");
    }

    @Test
    @DisplayName("Q-6: after storage errors the loop goes on, and later signals still work")
    void q6_theLoopRecoversFromStorageErrors() {
        AtomicInteger failures = new AtomicInteger();
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.RECEIVE && failures.incrementAndGet() <= 4) {
                    throw new StorageException(StorageException.Reason.UNAVAILABLE, "out of reach", null);
                }
            }
        });
        worker.start();
        await().atMost(SOON).until(() -> failures.get() > 4);

        queues.put(new Sheet("after the outage"));

        awaitHandled("after the outage");
    }

    @Test
    @DisplayName("Q-7: a stop before the first start does not fail, nor does a second stop")
    void q7_stopBeforeStart() throws Exception {
        worker.stop();
        worker.stop();
        worker.interrupt();

        assertThat(worker.join(Duration.ofSeconds(1))).isTrue();
        assertThat(storage.calls()).isZero();
    }

    @Test
    void aFreedPlaceIsFilledAtOnce() throws Exception {
        CountDownLatch free = new CountDownLatch(1);
        script = (sheet, delivery) -> {
            handled.add(sheet.text());
            free.await();
            return WorkResult.DONE;
        };
        startAndGoIdle();
        queues.put(new Sheet("first"));
        awaitHandled("first");
        queues.put(new Sheet("second"));
        assertThat(handled).doesNotContain("second");

        free.countDown();

        awaitHandled("second");
    }

    @Test
    void anItemThatWasHandedBackIsTakenWhenItShowsAgain() {
        PollingCurve hoursAfterTheFirstEmptyLook = new PollingCurve(HOURS, () -> 1e9);
        worker = worker(1, hoursAfterTheFirstEmptyLook);
        Set<String> begun = ConcurrentHashMap.newKeySet();
        script = (sheet, delivery) -> {
            if (begun.add(sheet.text())) {
                return new WorkResult.RetryAfter(Duration.ofMillis(300));
            }
            handled.add(sheet.text());
            return WorkResult.DONE;
        };
        queues.put(new Sheet("again"));

        worker.start();

        awaitHandled("again");
    }

    @Test
    @DisplayName("Q11: slow handlers overlap, as many as the concurrency says")
    void q11_slowHandlersOverlap() throws Exception {
        worker = worker(32);
        CountDownLatch allAtOnce = new CountDownLatch(32);
        script = (sheet, delivery) -> {
            allAtOnce.countDown();
            allAtOnce.await();
            return WorkResult.DONE;
        };
        for (int i = 0; i < 32; i++) {
            queues.put(new Sheet("slow " + i));
        }

        worker.start();

        assertThat(allAtOnce.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
}
