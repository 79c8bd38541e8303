package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.azuremail.web.process.Mailings.Mailing;

/**
 * Kills senders and schedulers with SIGKILL at random moments of messages to 2,000 people, and reports the recipients
 * in doubt.
 */
final class Kills {

    static final int READERS = 2000;

    /**
     * The number of kills during a message, each after the process killed before is ready again; 0 kills three
     * together.
     */
    private static final int ONE_BY_ONE = Integer.getInteger("azuremail.test.kills", 0);

    /**
     * The number of messages for each transport. In the long proof, one message holds emails in doubt and one sends
     * them again.
     */
    static final int MESSAGES = ONE_BY_ONE > 0 ? 2 : 1;

    private final AzureProcesses processes;
    private final Mailings mailings;
    private final Random random;
    private int ofSenders;
    private int inTheMiddle;

    Kills(AzureProcesses processes, Mailings mailings) {
        long seed = Long.getLong("azuremail.test.seed", new Random().nextLong());
        System.out.printf("kills: -Dazuremail.test.seed=%d%n", seed);
        this.processes = processes;
        this.mailings = mailings;
        this.random = new Random(seed);
    }

    /** Returns the number of senders that were killed. */
    int ofSenders() {
        return ofSenders;
    }

    /**
     * Sends messages by a transport; they hold emails in doubt and send them again in turn. During each, two senders
     * and a scheduler are killed and restarted. In the end, the records are compared with the provider's counts.
     *
     * @return the recipients in doubt, with the subject of the message
     */
    Set<String> during(String transport, int messages) throws Exception {
        String list = "killed_" + transport;
        List<String> readers = Program.readers(READERS);
        mailings.makeList(list, transport, readers);
        List<Mailing> killed = new ArrayList<>();
        for (int message = 0; message < messages; message++) {
            String subject = list + " " + message;
            Mailing mailing =
                    message % 2 == 0 ? mailings.hold(list, subject, readers) : mailings.resend(list, subject, readers);
            killed.add(mailing);
            if (ONE_BY_ONE > 0) {
                killOneByOne(mailing);
            } else {
                killSome(mailing);
            }
        }
        Set<String> inDoubt = new TreeSet<>();
        for (Mailing mailing : killed) {
            mailings.inDoubt(mailing).forEach(address -> inDoubt.add(mailing.subject() + ": " + address));
        }
        System.out.printf(
                "kills by %s: %d of senders, %d of all in the middle, %d readers in doubt%n",
                transport, ofSenders, inTheMiddle, inDoubt.size());
        assertThat(inTheMiddle).as("kills in the middle of a message").isGreaterThanOrEqualTo(messages);
        return inDoubt;
    }

    private void killSome(Mailing mailing) throws Exception {
        List<String> senders = shuffled(AzureProcesses.SENDERS);
        List<String> victims = shuffled(List.of(
                senders.get(0),
                senders.get(1),
                shuffled(AzureProcesses.SCHEDULERS).get(0)));
        List<Integer> moments =
                random.ints(victims.size(), 1, READERS * 3 / 4).sorted().boxed().toList();
        for (int i = 0; i < victims.size(); i++) {
            kill(victims.get(i), mailing, moments.get(i));
        }
        processes.startTogether(victims);
    }

    private void killOneByOne(Mailing mailing) throws Exception {
        List<String> candidates = new ArrayList<>(AzureProcesses.SENDERS);
        candidates.addAll(AzureProcesses.SCHEDULERS);
        for (int kill = 0; kill < ONE_BY_ONE; kill++) {
            String victim = shuffled(candidates).get(0);
            kill(victim, mailing, READERS * kill / ONE_BY_ONE + 1 + random.nextInt(READERS / 2 / ONE_BY_ONE));
            processes.startTogether(List.of(victim));
        }
    }

    private void kill(String victim, Mailing mailing, int moment) throws Exception {
        mailings.untilMailed(mailing, moment);
        processes.get(victim).kill();
        int then = mailings.mailed(mailing);
        System.out.printf("killed: %s at %d mails%n", victim, then);
        ofSenders += AzureProcesses.SENDERS.contains(victim) ? 1 : 0;
        inTheMiddle += 0 < then && then < READERS ? 1 : 0;
    }

    private List<String> shuffled(List<String> names) {
        List<String> shuffled = new ArrayList<>(names);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }
}
