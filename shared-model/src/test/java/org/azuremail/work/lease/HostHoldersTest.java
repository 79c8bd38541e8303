package org.azuremail.work.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.azuremail.id.IdSource;
import org.azuremail.storage.embedded.ChildProcess;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.storage.version.StoreGate;
import org.azuremail.time.ManualTime;
import org.azuremail.work.InlineWork;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.run.HoldingProcess;
import org.azuremail.work.run.Sheet;
import org.azuremail.work.run.StopFlag;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.schedule.ServiceRunner;
import org.azuremail.work.service.ScheduledService;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks which processes of one machine count as alive, and what happens to the leases of the others. */
class HostHoldersTest {

    @TempDir
    private Path directory;

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time);

    private HostHolders process() {
        return (HostHolders) Holders.onThisHost(directory, IdSource.secure());
    }

    private Leases leases(Holders holders) {
        return new Leases(storage.storage(), time, holders, Duration.ZERO, StoreGate.ALWAYS_OPEN);
    }

    private long files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.count();
        }
    }

    @Test
    void theFileOfAProcessIsForItsOwnerOnly() throws Exception {
        try (HostHolders one = process();
                Stream<Path> files = Files.list(directory)) {
            assertThat(one.detectsDeadHolders()).isTrue();
            assertThat(files).singleElement().satisfies(file -> assertThat(
                            PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------"));
        }
    }

    @Test
    void aProcessThatRunsIsNotGoneForItselfOrOthers() {
        try (HostHolders one = process();
                HostHolders other = process()) {
            String name = one.next();

            assertThat(one.isDead(name)).isFalse();
            assertThat(other.isDead(name)).isFalse();
            assertThat(one.isDead(name)).as("after others have looked").isFalse();
            assertThat(one.next()).isNotEqualTo(name);
        }
    }

    @Test
    void nobodyIsGoneBecauseTheDirectoryWasEmptiedOrIsOutOfReach() throws Exception {
        try (HostHolders survivor = process()) {
            String name;
            try (ChildProcess child = ChildProcess.start(HoldingProcess.class, "64m", directory.toString())) {
                name = child.line();
                try (Stream<Path> files = Files.list(directory)) {
                    for (Path file : files.toList()) {
                        Files.delete(file);
                    }
                }
                assertThat(survivor.isDead(name)).as("it lives").isFalse();
            }
        }
    }

    @Test
    void nobodyIsGoneWhoseFileCannotBeOpened() throws Exception {
        try (HostHolders survivor = process()) {
            Path loop = directory.resolve("other.process");
            Files.createSymbolicLink(loop, loop);

            assertThat(survivor.isDead("other.attempt")).isFalse();
        }
    }

    @Test
    @DisplayName(
            "A process that is killed is gone at once, though its file is still there; the next start removes that")
    void aKilledProcessIsGone() throws Exception {
        try (HostHolders survivor = process()) {
            String name;
            try (ChildProcess child = ChildProcess.start(HoldingProcess.class, "64m", directory.toString())) {
                name = Objects.requireNonNull(child.line());
                assertThat(survivor.isDead(name)).as("while it lives").isFalse();
                assertThat(survivor.isDead(name)).as("as often as one looks").isFalse();
                child.kill();
            }

            assertThat(survivor.isDead(name)).isTrue();
            assertThat(files()).isEqualTo(2);
            try (HostHolders next = process()) {
                assertThat(files()).isEqualTo(2);
                assertThat(next.isDead(name)).isTrue();
            }
        }
    }

    @Test
    void aProcessThatEndsInOrderLeavesNoFile() throws Exception {
        HostHolders ended = process();
        String name = ended.next();
        ended.close();

        assertThat(files()).isZero();
        try (HostHolders other = process()) {
            assertThat(other.isDead(name)).isTrue();
        }
    }

    @Test
    void ofWhoeverIsNamedInAnotherWayNothingIsKnown() {
        try (HostHolders holders = process()) {
            assertThat(holders.isDead(IdSource.secure().token())).isFalse();
        }
    }

    @Test
    @DisplayName("Where no file can be made nobody is known to be gone, and leases are short")
    void withoutADirectoryNobodyIsGone() throws Exception {
        Path file = Files.createFile(directory.resolve("occupied"));

        Holders holders = Holders.onThisHost(file, IdSource.secure());

        assertThat(holders.isDead("gone.gone")).isFalse();
        assertThat(leases(holders).idle()).isEqualTo(Leases.ACTIVE);
    }

    @Test
    @DisplayName("L-11: the lease of a process that has ended is free at once, that of one that lives is not")
    void l11_theLeaseOfADeadProcessIsFree() {
        HostHolders dying = process();
        try (HostHolders next = process()) {
            Lease held = leases(dying).acquire("chime", Leases.IDLE).orElseThrow();
            assertThat(leases(next).acquire("chime", Leases.IDLE)).isEmpty();

            dying.close();

            Lease taken = leases(next).acquire("chime", Leases.IDLE).orElseThrow();
            assertThat(taken.epoch()).isGreaterThan(held.epoch());
            assertThat(held.renew(Leases.IDLE))
                    .as("who was thought dead finds out")
                    .isFalse();
        }
    }

    @Test
    @DisplayName("A dead process's service runs in the next one at once, however long its lease was, and then as usual")
    void theNextProcessRunsAtOnce() {
        AtomicInteger runs = new AtomicInteger();
        HostHolders dying = process();
        runner(dying, Duration.ofMinutes(1), runs).runOnce();
        time.advance(Duration.ofSeconds(70));
        dying.close();

        try (HostHolders next = process()) {
            ServiceRunner runner = runner(next, Duration.ofMinutes(1), runs);
            Duration rest = runner.runOnce();

            assertThat(runs).hasValue(2);
            assertThat(rest).isGreaterThan(Duration.ofSeconds(50));
        }
    }

    @Test
    @DisplayName("A process that died may have heard a signal alone: the next process runs before it is due")
    void theNextProcessRunsBeforeItIsDue() {
        AtomicInteger runs = new AtomicInteger();
        HostHolders dying = process();
        runner(dying, Duration.ofMinutes(1), runs).runOnce();
        time.advance(Duration.ofSeconds(10));
        dying.close();

        try (HostHolders next = process()) {
            runner(next, Duration.ofMinutes(1), runs).runOnce();

            assertThat(runs).hasValue(2);
        }
    }

    @Test
    @DisplayName("K13: a daily service does not run again because a process died in it")
    void k13_onceADayIsOnceADay() {
        AtomicInteger runs = new AtomicInteger();
        HostHolders dying = process();
        Leases its = leases(dying);
        its.acquire("chime", Leases.ACTIVE, its.read("chime"), time.instant(), false);
        dying.close();
        time.advance(Duration.ofHours(1));

        try (HostHolders next = process()) {
            ServiceRunner runner = runner(next, Duration.ofDays(1), runs);

            assertThat(runner.runOnce()).isGreaterThan(Duration.ofHours(20));
            assertThat(runs).hasValue(0);
        }
    }

    private ServiceRunner runner(Holders holders, Duration interval, AtomicInteger runs) {
        WorkQueues queues = InlineWork.queues(storage.storage(), Sheet.TYPE);
        DeadLetters deadLetters = new DeadLetters(storage.storage(), queues);
        WorkRuntime runtime = InlineWork.runtime(storage.storage(), deadLetters, leases(holders), time, new StopFlag());
        return ServiceRunner.of(new Bell(interval, runs), runtime, false);
    }

    private record Bell(Duration interval, AtomicInteger runs) implements ScheduledService {

        @Override
        public String name() {
            return "chime";
        }

        @Override
        public void run() {
            runs.incrementAndGet();
        }
    }
}
