package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.journal.FileJournal;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Outcome;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.Call.Kind;
import org.azuremail.storage.simulated.CallHook;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks a sender with a journal that ends while the storage is unreachable. */
class JournalOutageTests {

    private static final int RECIPIENTS = 11;

    @TempDir
    private Path host;

    private final SimulatedWorld world = new SimulatedWorld();
    private final OneByOne transport = new OneByOne(4);
    private final AtomicInteger refused = new AtomicInteger();

    /** The process does not know whether the lot was announced, so another process may ask the journal for it. */
    @Test
    void e22_aLotWhoseAnnouncementWasNotHeardIsStillInTheJournalOfAProcessThatStops() throws IOException {
        FileJournal first = process();
        MessageRef ref = world.message(world.list("contoso1", RECIPIENTS, 0), OnUnknown.HOLD);
        world.process.look();
        world.process.drain(world.process.fanOut);
        goesAwayAfterAnAnnouncement();
        world.process.stopping = () -> refused.get() > 3;
        world.process.turn();
        assertThat(transport.taken()).isEmpty();
        first.close();
        world.storage.hook(CallHook.NONE);
        assertThat(world.anyHanding()).as("it was announced").isTrue();

        process();
        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", RECIPIENTS));
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
        assertThat(transport.taken().values()).containsOnly(1);
    }

    /** The first email was answered. The others were not begun, because the lease could not be renewed. */
    @Test
    void aLotWhoseAnswersWereGivenUpIsDecidedByTheJournalOfTheSameProcess() {
        process();
        MessageRef ref = world.message(world.list("contoso1", RECIPIENTS, 0), OnUnknown.HOLD);
        world.process.look();
        world.process.drain(world.process.fanOut);
        AtomicBoolean once = new AtomicBoolean(true);
        transport.step(() -> {
            if (once.getAndSet(false)) {
                world.time.advance(Duration.ofSeconds(20));
                world.storage.hook(new Outage(world, Duration.ofMinutes(90), refused));
            }
        });
        world.process.turn();
        assertThat(transport.taken()).as("of a lot of four").hasSize(1);
        world.storage.hook(CallHook.NONE);

        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", RECIPIENTS));
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
        assertThat(transport.taken().values()).containsOnly(1);
    }

    @Test
    void nothingIsKeptOfFinishedLots() throws IOException {
        FileJournal first = process();
        MessageRef ref = world.message(world.list("contoso1", RECIPIENTS, 0), OnUnknown.HOLD);
        world.runToEnd();
        first.close();

        assertThat(world.outcomes(ref)).hasSize(RECIPIENTS);
        try (FileJournal next = new FileJournal(host, "boot", world.time, world.ids)) {
            assertThat(next.acceptedForDeadProcesses()).isEmpty();
        }
    }

    private FileJournal process() {
        FileJournal journal = new FileJournal(host, "boot", world.time, world.ids);
        world.journal = journal;
        world.provider = transport;
        world.restart();
        return journal;
    }

    private void goesAwayAfterAnAnnouncement() {
        world.storage.hook(new CallHook() {
            @Override
            public void after(Call call) {
                boolean written = call.kind() == Kind.WRITE && call.place().equals(MessageStore.MESSAGE);
                if (written && world.anyHanding()) {
                    Outage outage = new Outage(world, Duration.ofMinutes(2), refused);
                    world.storage.hook(outage);
                    outage.before(call);
                }
            }
        });
    }
}
