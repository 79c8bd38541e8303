package org.azuremail.web.process;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.azuremail.transport.smtp.LoopbackSmtp;

/**
 * A mail provider with several doors, one for each sender, over SMTP and over SendGrid's API. It takes its time for every
 * answer and counts how often each recipient got each message, whoever brought it.
 */
final class MailCount implements AutoCloseable {

    private final List<LoopbackSmtp> doors = new ArrayList<>();
    private final List<SendGridServer> sendGridDoors = new ArrayList<>();
    private final AtomicInteger bySendGrid = new AtomicInteger();
    private final Duration perMail;
    private final Map<String, Duration> slow = new TreeMap<>();
    private final Map<String, Duration> slowRecipients = new TreeMap<>();
    private final Map<String, Map<String, Integer>> timesByRecipient = new TreeMap<>();
    private final Map<String, Map<Integer, Integer>> mailsByDoor = new TreeMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** @param perMail how long each answer takes */
    MailCount(int doors, Duration perMail) throws IOException {
        this.perMail = perMail;
        for (int door = 0; door < doors; door++) {
            int number = door;
            this.doors.add(new LoopbackSmtp(mail -> {
                take(number, mail.read(), List.of(mail.recipient()));
                return LoopbackSmtp.OK;
            }));
            sendGridDoors.add(new SendGridServer((subject, recipients) -> {
                bySendGrid.addAndGet(recipients.size());
                take(number, subject, recipients);
            }));
        }
    }

    int port(int door) {
        return doors.get(door).port();
    }

    /** The number of mails that came by SendGrid's API. */
    int bySendGrid() {
        return bySendGrid.get();
    }

    /** The address at which the same door takes requests of SendGrid's API. */
    String endpoint(int door) {
        return sendGridDoors.get(door).endpoint();
    }

    /** Tells of the handles of all emails that come by SendGrid's API. */
    void handles(Consumer<String> wanted) {
        sendGridDoors.forEach(door -> door.handles = wanted);
    }

    /** Answers for the message with this subject take so long. */
    synchronized void slow(String subject, Duration eachMail) {
        slow.put(subject, eachMail);
    }

    /** Answers for the mails of this message to these take so long. */
    synchronized void slowFor(String subject, List<String> recipients, Duration eachMail) {
        recipients.forEach(recipient -> slowRecipients.put(subject + " " + recipient, eachMail));
    }

    /** The number of complete mails that each recipient got. */
    synchronized Map<String, Integer> times(String subject) {
        return Map.copyOf(timesByRecipient.getOrDefault(subject, Map.of()));
    }

    /** Returns whether any email for this recipient arrived. */
    synchronized boolean hasMailed(String recipient) {
        return timesByRecipient.values().stream().anyMatch(times -> times.containsKey(recipient));
    }

    /** The number of complete mails of a message. */
    int mails(String subject) {
        return byDoor(subject).values().stream().mapToInt(Integer::intValue).sum();
    }

    /** The number of mails of a message, by door. */
    synchronized Map<Integer, Integer> byDoor(String subject) {
        return Map.copyOf(mailsByDoor.getOrDefault(subject, Map.of()));
    }

    private void take(int door, String subject, List<String> recipients) throws InterruptedException {
        closed.await(count(door, subject, recipients).toMillis(), TimeUnit.MILLISECONDS);
    }

    private synchronized Duration count(int door, String subject, List<String> recipients) {
        Map<String, Integer> times = timesByRecipient.computeIfAbsent(subject, first -> new TreeMap<>());
        recipients.forEach(recipient -> times.merge(recipient, 1, Integer::sum));
        mailsByDoor.computeIfAbsent(subject, first -> new TreeMap<>()).merge(door, recipients.size(), Integer::sum);
        return slowRecipients.getOrDefault(subject + " " + recipients.get(0), slow.getOrDefault(subject, perMail));
    }

    @Override
    public void close() {
        closed.countDown();
        doors.forEach(LoopbackSmtp::close);
        sendGridDoors.forEach(SendGridServer::close);
    }
}
