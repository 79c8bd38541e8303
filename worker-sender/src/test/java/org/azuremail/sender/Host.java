package org.azuremail.sender;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.azuremail.delivery.range.DeliveryLimits;
import org.azuremail.journal.FileJournal;
import org.azuremail.journal.Journal;
import org.azuremail.limit.TokenSource;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailProperties.WhenFull;
import org.azuremail.mail.MailTransport;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.Faults.Mode;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.work.lease.Holders;
import org.jspecify.annotations.Nullable;

/** A machine in an interleaving: its clocks, its disk, and its process, which may die and start again. */
final class Host implements Holders {

    private static final List<Mode> FAULTS =
            List.of(Mode.FAILS, Mode.ANSWER_LOST, Mode.REPEATED, Mode.DIES_BEFORE, Mode.DIES_AFTER);

    /** The calls at the beginning of a life in which nothing goes wrong. A start makes fewer. */
    private static final int CALLS_OF_A_START = 100;

    /**
     * The setting that all hosts share.
     *
     * @param disks the directory of the hosts' journals, or null if they keep none
     * @param oneMachine whether all processes run on one machine, where they know of each other's deaths
     * @param dead the names of processes that died
     */
    record Setting(
            SimulatedWorld world,
            Baton baton,
            Witness witness,
            Random random,
            SlowProvider provider,
            TokenSource tokens,
            DeliveryLimits limits,
            @Nullable Path disks,
            boolean oneMachine,
            Set<String> dead,
            List<SimulatedProcess> processes) {

        /** Returns whether the process of this attempt has died. */
        static boolean died(Set<String> dead, String nonce) {
            return dead.contains(nonce.substring(0, Math.max(0, nonce.indexOf('.'))));
        }
    }

    private final Setting in;
    private final String name;
    private final OwnClock clock;
    private final int mostFaults;
    private int starts;
    private Life life;

    /** @param maxFaults the most storage calls that go wrong in each life of its process */
    Host(Setting in, String name, OwnClock clock, int maxFaults) {
        this.in = in;
        this.name = name;
        this.clock = clock;
        this.mostFaults = maxFaults;
        this.life = new Life();
    }

    SimulatedProcess process() {
        return life.process;
    }

    /** Takes turns until the campaign is over. After a death, the process starts again some time later. */
    void works(BooleanSupplier over, int restSeconds, Turn turn) throws Exception {
        while (!over.getAsBoolean()) {
            try {
                turn.of(life.process);
            } catch (StorageException away) {
                in.baton().note("gives up a turn");
            } catch (ProcessDied died) {
                if (in.baton().failed()) {
                    throw died;
                }
                rest(60);
                startAgain();
            }
            rest(restSeconds);
        }
    }

    private void rest(int maxSeconds) {
        in.baton().sleep(Duration.ofMillis(in.random().nextInt(maxSeconds * 1000)));
    }

    /** Starts the next process. Of several threads of a dead process, only the first does. */
    private void startAgain() {
        if (life.dead) {
            in.baton().note("starts again");
            life = new Life();
            life.tellsWhatTheDeadKnew();
        }
    }

    @Override
    public String next() {
        return life.name + "." + in.world().ids.token();
    }

    @Override
    public boolean isDead(String holder) {
        return in.oneMachine() && Setting.died(in.dead(), holder);
    }

    @Override
    public boolean detectsDeadHolders() {
        return in.oneMachine();
    }

    interface Turn {
        void of(SimulatedProcess process) throws Exception;
    }

    /** One process, from its start to its death. */
    private final class Life {

        private final String name = Host.this.name + "-" + ++starts;
        private final List<Faults> faults = new ArrayList<>();
        private final @Nullable FileJournal journal = journal();
        private final SimulatedProcess process;
        private boolean dead;

        Life() {
            Storage real = in.world().storage.storage();
            Storage storage = new Storage(
                    new WatchedTables(real.tables(), in.baton(), in.witness(), in.world().time),
                    new UnreliableQueues(real.queues(), in.random()),
                    real.blobs());
            for (int left = mostFaults == 0 ? 0 : in.random().nextInt(mostFaults + 1); left > 0; left--) {
                Mode mode = FAULTS.get(in.random().nextInt(FAULTS.size()));
                Faults fault = new Faults(mode, CALLS_OF_A_START + in.random().nextInt(400), this::dies);
                faults.add(fault);
                storage = fault.around(storage);
            }
            process = new SimulatedProcess(
                    storage,
                    clock,
                    in.world().ids,
                    in.limits(),
                    List.of(new Mortal()),
                    new SimulatedProcess.Limited(in.tokens(), in.tokens(), WhenFull.WAIT),
                    journal == null ? Journal.NONE : new MortalJournal(journal, () -> dead),
                    Host.this,
                    in.world().classes);
            in.processes().add(process);
        }

        private @Nullable FileJournal journal() {
            return in.disks() == null
                    ? null
                    : new FileJournal(in.disks().resolve(Host.this.name), "boot", in.world().time, in.world().ids);
        }

        private void tellsWhatTheDeadKnew() {
            if (journal != null) {
                new JournalRecovery(process.context).afterSingletonsInstantiated();
            }
        }

        private void dies() {
            dead = true;
            faults.forEach(Faults::kill);
            in.dead().add(name);
            in.baton().note("dies");
            in.baton().stirred();
            try {
                if (journal != null) {
                    journal.close();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void mayDie() {
            live();
            if (mostFaults > 0 && in.random().nextInt(100) == 0) {
                dies();
                throw new ProcessDied();
            }
        }

        private void live() {
            if (dead) {
                throw new ProcessDied();
            }
        }

        /** A transport whose process may die. After its death, the process hands nothing over and gets no answers. */
        private final class Mortal implements MailTransport {

            @Override
            public String name() {
                return in.provider().name();
            }

            @Override
            public int lotSize() {
                return in.provider().lotSize();
            }

            @Override
            public boolean reportsEachEmail() {
                return in.provider().reportsEachEmail();
            }

            @Override
            public HandOverResult handOver(MailLot lot, Guard guard) {
                HandOverResult result = in.provider().handOver(lot, new Guard() {
                    @Override
                    public boolean mayContinue() {
                        mayDie();
                        return guard.mayContinue();
                    }

                    @Override
                    public void begins(int mail) {
                        live();
                        guard.begins(mail);
                        mayDie();
                    }

                    @Override
                    public void answered(int mail, Answer answer) {
                        mayDie();
                        guard.answered(mail, answer);
                    }
                });
                mayDie();
                return result;
            }
        }
    }
}
