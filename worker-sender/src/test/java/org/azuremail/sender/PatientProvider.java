package org.azuremail.sender;

import java.time.Duration;
import java.util.Random;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport;

/**
 * A provider that accepts lots of 250 emails, each within some virtual time, and counts how often it accepted each one.
 */
final class PatientProvider implements MailTransport {

    private final Clockwork clock;
    private final Random random;
    private final Duration fastest;
    private final byte[] times;

    /** @param fastest the shortest time for a lot; the longest is twice that */
    PatientProvider(Clockwork clock, Duration fastest, int recipients, long seed) {
        this.clock = clock;
        this.fastest = fastest;
        this.random = new Random(seed);
        this.times = new byte[recipients + 1];
    }

    @Override
    public String name() {
        return "patient";
    }

    @Override
    public int lotSize() {
        return 250;
    }

    @Override
    public HandOverResult handOver(MailLot lot, Guard guard) {
        for (Mail mail : lot.mails()) {
            times[Crowd.number(mail.to().address())]++;
        }
        long shortest = fastest.toMillis();
        clock.sleep(Duration.ofMillis(shortest + random.nextInt((int) shortest)));
        return HandOverResult.same(lot.mails().size(), new Answer.Accepted("taken"));
    }

    /** Returns the number of emails that were accepted exactly this often. */
    long taken(int often) {
        long count = 0;
        for (int i = 1; i < times.length; i++) {
            count += times[i] == often ? 1 : 0;
        }
        return count;
    }
}
