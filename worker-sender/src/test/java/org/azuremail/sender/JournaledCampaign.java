package org.azuremail.sender;

import static org.azuremail.sender.SimulatedWorld.verified;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.azuremail.journal.FileJournal;
import org.azuremail.limit.RateLimitWait;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Outcome;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.ProcessDied;

/** A campaign whose sender keeps a journal and dies at steps around each storage call, each email and each answer. */
final class JournaledCampaign {

    static final int RECIPIENTS = 11;

    private final SimulatedWorld world = new SimulatedWorld(4);
    final OneByOne transport = new OneByOne(4);
    private final MessageRef ref;
    private final int recipients;
    private int steps;
    private int deathAt;
    private BooleanSupplier fatal = () -> false;
    private boolean fatalTokens;
    private boolean dead;
    private FileJournal journal;

    JournaledCampaign(OnUnknown onUnknown, Path host) {
        this(onUnknown, host, RECIPIENTS, 2);
    }

    JournaledCampaign(OnUnknown onUnknown, Path host, int recipients, int shards) {
        this.recipients = recipients;
        journal = journal(host, "boot");
        world.rate = this::tokens;
        start(host, "boot");
        ref = world.message(world.list("contoso1", shards, recipients, 1), onUnknown);
        world.storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                step();
            }

            @Override
            public void after(Call call) {
                step();
            }
        });
        transport.step(this::step);
    }

    private FileJournal journal(Path host, String boot) {
        return new FileJournal(host, boot, world.time, world.ids);
    }

    /** Starts a process on this host after the one before has died. */
    void start(Path host, String boot) {
        start(host, boot, false);
    }

    /** @param frozen whether the process before is frozen instead of dead */
    void start(Path host, String boot, boolean frozen) {
        try {
            if (!frozen) {
                journal.close();
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        survives();
        journal = journal(host, boot);
        world.journal = new MortalJournal(journal, () -> dead);
        world.provider = transport;
        dead = false;
        world.restart();
    }

    private void step() {
        steps++;
        dead |= steps == deathAt || fatal.getAsBoolean();
        if (dead) {
            throw new ProcessDied();
        }
    }

    /** Runs until the process dies at this step, or to the end, and returns whether it died. */
    boolean diesAt(int step) {
        deathAt = step;
        return runs();
    }

    /** Runs until the process dies at the first step at which this holds, or to the end. */
    boolean diesWhen(BooleanSupplier holds) {
        fatal = holds;
        return runs();
    }

    /** Runs until the process dies after it has prepared a lot and before it announces the lot, or to the end. */
    boolean diesPreparing() {
        fatalTokens = true;
        return runs();
    }

    private RateLimitWait tokens(int mails) {
        dead |= fatalTokens;
        if (dead) {
            throw new ProcessDied();
        }
        return RateLimitWait.NONE;
    }

    /** Runs until the process is asked to stop at this step and has stopped. */
    void stopsAt(int step) {
        world.process.stopping = () -> steps >= step;
        for (int turn = 0; turn < 60 && steps < step && active(); turn++) {
            world.process.turn();
            world.time.advance(Duration.ofSeconds(10));
        }
    }

    private void survives() {
        deathAt = 0;
        fatal = () -> false;
        fatalTokens = false;
    }

    private boolean runs() {
        try {
            for (int turn = 0; turn < 60 && active(); turn++) {
                world.process.turn();
                world.time.advance(Duration.ofSeconds(10));
            }
        } catch (ProcessDied died) {
            return true;
        }
        return false;
    }

    private boolean active() {
        int before = deathAt;
        BooleanSupplier fatalBefore = fatal;
        boolean fatalTokensBefore = fatalTokens;
        survives();
        boolean active = !world.process.messageStore.active().isEmpty();
        deathAt = before;
        fatal = fatalBefore;
        fatalTokens = fatalTokensBefore;
        return active;
    }

    /** Changes the setting so that recipients in doubt are emailed again only after the message has ended. */
    void hold() {
        survives();
        MessageStore store = world.process.messageStore;
        store.findActive(ref).ifPresent(found -> {
            Message now = found.value();
            store.replace(
                    found, now.edited(now.audience(), now.shards(), now.content(), now.schedule(), OnUnknown.HOLD));
        });
    }

    Map<String, Outcome> end() {
        survives();
        world.runToEnd();
        world.assertAccounted(ref, verified("contoso1", recipients));
        return world.outcomes(ref);
    }

    /** Returns the number of steps so far. */
    int steps() {
        return steps;
    }
}
