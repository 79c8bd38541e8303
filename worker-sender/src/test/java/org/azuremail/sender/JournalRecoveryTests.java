package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.azuremail.journal.FileJournal;
import org.azuremail.journal.Journal;
import org.azuremail.journal.Journal.TakenMail;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.time.ManualTime;
import org.azuremail.time.Time;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks a host that starts again with its journal after its sender died in a lot and another host took the lot over.
 */
class JournalRecoveryTests {

    private static final int RECIPIENTS = 7;

    @TempDir
    private Path host;

    private SimulatedWorld world;
    private OneByOne transport;
    private MessageRef ref;
    private int steps;

    /** The sender dies when two of four emails are answered and one is being handed over. */
    @BeforeEach
    void aSenderDiesInItsFirstLot() throws IOException {
        begin(OnUnknown.HOLD);
    }

    private void begin(OnUnknown onUnknown) throws IOException {
        world = new SimulatedWorld();
        transport = new OneByOne(4);
        steps = 0;
        FileJournal journal = journal();
        process(journal);
        ref = world.message(world.list("contoso1", 1, RECIPIENTS, 0), onUnknown);
        world.time.advance(Duration.ofSeconds(10));
        transport.step(() -> {
            if (++steps == 11) {
                throw new ProcessDied();
            }
        });
        assertThat(catchThrowable(() -> world.process.turn())).isInstanceOf(ProcessDied.class);
        transport.step(() -> {});
        journal.close();
        dated(world.time.instant().toEpochMilli());
    }

    @Test
    void i2_aMailThatTheJournalSaysWasTakenIsSentThoughAnotherHostRecordedUnknown() {
        onAnotherHost();
        assertThat(count(Outcome.UNKNOWN)).isEqualTo(4);

        starts();

        assertThat(world.outcomes(ref).values())
                .as("two were answered, two were not")
                .hasSize(RECIPIENTS);
        assertThat(count(Outcome.UNKNOWN)).isEqualTo(2);
        assertThat(count(Outcome.SENT)).isEqualTo(5);
        new Books(world, ref).assertBalanced();
    }

    @Test
    void answersInTheJournalAreRecordedBeforeAnotherHostTakesTheLot() {
        starts();
        onAnotherHost();

        assertThat(count(Outcome.UNKNOWN)).isEqualTo(2);
        new Books(world, ref).assertBalanced();
        assertThat(transport.taken().values()).containsOnly(1);
    }

    @ParameterizedTest
    @EnumSource
    void withEitherSettingAnswersToldTwiceCountOnce(OnUnknown onUnknown) throws IOException {
        begin(onUnknown);
        starts();
        starts();
        onAnotherHost();
        Map<String, Outcome> told = new TreeMap<>(world.outcomes(ref));
        starts();

        assertThat(world.outcomes(ref)).isEqualTo(told);
        new Books(world, ref).assertBalanced();
        assertThat(told.keySet()).containsExactlyInAnyOrderElementsOf(verified("contoso1", RECIPIENTS));
    }

    /** A storage that was created again uses the same numbers again. */
    @Test
    void aMessageThatIsYoungerThanTheJournalIsNotMeant() throws IOException {
        onAnotherHost();
        dated(world.find(ref).created().at().toEpochMilli());

        starts();

        assertThat(count(Outcome.UNKNOWN)).isEqualTo(4);
    }

    @Test
    void whileTheStorageIsAwayItIsTriedAgainAndTheJournalIsKept() throws IOException {
        onAnotherHost();
        dated(world.time.instant().toEpochMilli());
        world.time.advance(Duration.ofDays(8));
        AtomicInteger refused = new AtomicInteger();
        FileJournal journal = journal();
        JournalRecovery late = lateAnswers(journal, world.time);
        world.storage.hook(new Outage(world, Duration.ofMinutes(20), refused));
        late.afterSingletonsInstantiated();
        journal.openLot("a lot of the sender's own");

        Awaitility.await().ignoreExceptions().untilAsserted(() -> assertThat(count(Outcome.UNKNOWN))
                .isEqualTo(2));
        assertThat(refused).as("tries").hasValueGreaterThan(20);
        assertThat(count(Outcome.SENT)).isEqualTo(5);
        new Books(world, ref).assertBalanced();
        Awaitility.await().untilAsserted(() -> assertThat(journalsOfTheDead()).isZero());
        late.destroy();
        journal.close();
    }

    @Test
    void aProcessThatStopsMeanwhileLeavesTheJournalToTheNextStart() throws IOException {
        onAnotherHost();
        JournalRecovery late = lateAnswers(journal(), new ManualTime());
        world.storage.hook(new Outage(world, Duration.ofMinutes(20), new AtomicInteger()));
        late.afterSingletonsInstantiated();
        late.destroy();
        Awaitility.await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("late-answers")));
        world.storage.hook(CallHook.NONE);

        assertThat(journalsOfTheDead()).isEqualTo(1);
        starts();
        assertThat(count(Outcome.UNKNOWN)).isEqualTo(2);
    }

    private long journalsOfTheDead() {
        return journal().acceptedForDeadProcesses().stream()
                .map(TakenMail::location)
                .distinct()
                .count();
    }

    private long count(Outcome wanted) {
        return SimulatedWorld.count(world.outcomes(ref), wanted);
    }

    private FileJournal journal() {
        return new FileJournal(host, "boot", world.time, world.ids);
    }

    private void process(Journal journal) {
        world.journal = journal;
        world.provider = transport;
        world.restart();
    }

    private void onAnotherHost() {
        process(Journal.NONE);
        world.runToEnd();
    }

    private void starts() {
        lateAnswers(journal(), world.time).afterSingletonsInstantiated();
    }

    private JournalRecovery lateAnswers(Journal journal, Time time) {
        SenderContext context = world.restart().context;
        return new JournalRecovery(new SenderContext(
                context.messages(),
                context.control(),
                context.deliveries(),
                context.archive(),
                context.rewriter(),
                context.subscriptions(),
                context.suppressions(),
                context.mails(),
                context.routes(),
                context.preferredTransports(),
                context.limits(),
                context.places(),
                journal,
                context.ranges(),
                context.deadLetters(),
                time,
                context.holders()));
    }

    /** Sets the files' time, because the host's own clock is not that of the simulation. */
    private void dated(long millis) throws IOException {
        try (var files = Files.list(host)) {
            for (Path file : files.toList()) {
                Files.setLastModifiedTime(file, FileTime.fromMillis(millis));
            }
        }
    }
}
