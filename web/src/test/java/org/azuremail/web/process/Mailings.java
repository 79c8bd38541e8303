package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.web.process.Program.Answer;

/** Messages to lists, and the comparison of their records with the provider's counts. */
final class Mailings {

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Duration A_WHILE = Duration.ofSeconds(20);

    private final Program program;
    private final MailCount mails;

    Mailings(Program program, MailCount mails) {
        this.program = program;
        this.mails = mails;
    }

    /**
     * A message that is being sent, with a subject that no other message has.
     *
     * @param max the most emails that one reader may get
     */
    record Mailing(String path, String subject, List<String> readers, int most) {}

    /** Sends a message to a list of its own. */
    Mailing begin(String list, List<String> readers) {
        makeList(list, AzureProcesses.SMTP, readers);
        return hold(list, list, readers);
    }

    /** Creates a list with readers and this transport. */
    void makeList(String list, String transport, List<String> readers) {
        program.makeList(list, transport);
        program.importAddresses(list, readers);
    }

    /** Sends a message that holds emails in doubt. */
    Mailing hold(String list, String subject, List<String> readers) {
        return new Mailing(program.send(list, subject, "hold"), subject, readers, 1);
    }

    /** Sends a message that sends emails in doubt once more. */
    Mailing resend(String list, String subject, List<String> readers) {
        return new Mailing(program.send(list, subject, "resend"), subject, readers, 2);
    }

    /** Returns the number of the message's emails that the provider has. */
    int mailed(Mailing mailing) {
        return mails.mails(mailing.subject());
    }

    /**
     * Waits until this number of emails was sent, but only for a while, because the process that would continue may be
     * dead.
     */
    void untilMailed(Mailing mailing, int count) {
        try {
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(20))
                    .atMost(A_WHILE)
                    .until(() -> mailed(mailing) >= count);
        } catch (ConditionTimeoutException nobodyGoesOnYet) {
            System.out.printf("%s: %d of %d mails%n", mailing.subject(), mailed(mailing), count);
        }
    }

    /**
     * Waits for the message's end and compares its records with the provider's counts, recipient by recipient: each has
     * one outcome, none got more emails than the message allows, and each that is Sent got one.
     *
     * @return the recipients that are Unknown or got two emails
     */
    Set<String> inDoubt(Mailing mailing) {
        Answer done = program.awaitCompletion(mailing.path(), PATIENCE);
        Map<String, Integer> times = mails.times(mailing.subject());
        assertThat(times.entrySet().stream().filter(one -> one.getValue() > mailing.most()))
                .as("who was mailed too often")
                .isEmpty();
        List<String> sent = program.recipients(mailing.path(), "sent");
        List<String> unknown = program.recipients(mailing.path(), "unknown");
        assertThat(sent.size() + unknown.size())
                .as(done.body())
                .isEqualTo(mailing.readers().size());
        Set<String> everybody = new TreeSet<>(sent);
        everybody.addAll(unknown);
        assertThat(everybody.equals(new TreeSet<>(mailing.readers())))
                .as("everybody has an outcome")
                .isTrue();
        assertThat(done.count("recipients")).isEqualTo(mailing.readers().size());
        assertThat(done.count("sent")).as(done.body()).isEqualTo(sent.size());
        assertThat(done.count("unknown")).as(done.body()).isEqualTo(unknown.size());
        assertThat(times.keySet().containsAll(sent))
                .as("whoever is Sent has the mail")
                .isTrue();
        Set<String> inDoubt = new TreeSet<>(unknown);
        times.keySet().stream().filter(one -> times.get(one) > 1).forEach(inDoubt::add);
        System.out.printf(
                "%s: %d sent, %d unknown, %d mailed, %d in doubt%n",
                mailing.subject(), sent.size(), unknown.size(), times.size(), inDoubt.size());
        return inDoubt;
    }

    /** Returns readers of one shard, so that they are one lot. */
    static List<String> neighbours(int count) {
        return IntStream.iterate(1, number -> number + 1)
                .mapToObj(Program::reader)
                .filter(address -> shardOf(address) == 0)
                .limit(count)
                .toList();
    }

    static int shardOf(String address) {
        EmailAddress email = EmailAddress.parse(address).orElseThrow();
        return MailingList.of(new ListName("any"), "", new Mailbox(email, ""), OptIn.DOUBLE, Instant.EPOCH)
                .shardOf(email);
    }
}
