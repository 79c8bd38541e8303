package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.web.process.Program.Answer;

/** Messages to lists, and what their records say beside what the provider counted. */
final class Mailings {

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Duration A_WHILE = Duration.ofSeconds(20);

    private final Program program;
    private final MailCount mails;

    Mailings(Program program, MailCount mails) {
        this.program = program;
        this.mails = mails;
    }

    /** A message on its way, its subject like no other's. */
    record Mailing(String path, String subject, List<String> readers) {}

    /** A message to a list of its own. */
    Mailing begin(String list, List<String> readers) {
        importReaders(list, readers);
        return send(list, list, readers);
    }

    void importReaders(String list, List<String> readers) {
        program.makeList(list);
        program.importAddresses(list, readers);
    }

    Mailing send(String list, String subject, List<String> readers) {
        return new Mailing(program.send(list, subject), subject, readers);
    }

    /** Waits until so many are mailed, but only a while: who would go on may be dead. */
    void untilMailed(Mailing mailing, int count) {
        try {
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(20))
                    .atMost(A_WHILE)
                    .until(() -> mails.mails(mailing.subject()) >= count);
        } catch (ConditionTimeoutException nobodyGoesOnYet) {
            System.out.printf("%s: %d of %d mails%n", mailing.subject(), mails.mails(mailing.subject()), count);
        }
    }

    /**
     * Waits for the message's end and compares its records with the provider's own count, recipient by recipient: everybody
     * has one outcome, nobody was mailed twice, and who is Sent was mailed.
     *
     * @return who is Unknown
     */
    List<String> inDoubt(Mailing mailing) {
        Answer done = program.awaitCompletion(mailing.path(), PATIENCE);
        Map<String, Integer> times = mails.times(mailing.subject());
        assertThat(times.entrySet().stream().filter(one -> one.getValue() != 1))
                .as("who was mailed more than once")
                .isEmpty();
        List<String> sent = program.recipients(mailing.path(), "sent");
        List<String> unknown = program.recipients(mailing.path(), "unknown");
        assertThat(Stream.concat(sent.stream(), unknown.stream()))
                .as(done.body())
                .containsExactlyInAnyOrderElementsOf(mailing.readers());
        assertThat(done.count("recipients")).isEqualTo(mailing.readers().size());
        assertThat(done.count("sent")).as(done.body()).isEqualTo(sent.size());
        assertThat(done.count("unknown")).as(done.body()).isEqualTo(unknown.size());
        assertThat(times.keySet()).as("whoever is Sent has the mail").containsAll(sent);
        System.out.printf(
                "%s: %d sent, %d unknown, %d mailed%n", mailing.subject(), sent.size(), unknown.size(), times.size());
        return unknown;
    }

    /** Readers of one shard, so that they are one lot. */
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
