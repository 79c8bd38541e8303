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
 * A mail provider with several doors, one for each sender, over SMTP and over SendGrid's API. Each answer takes a set
 * time. The provider counts how often each recipient got each message, over all doors.
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

    /** @param perMail the time that each answer takes */
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

    /** Returns the number of emails that arrived by SendGrid's API. */
    int bySendGrid() {
        return bySendGrid.get();
    }

    /** Returns the address at which the same door accepts requests of SendGrid's API. */
    String endpoint(int door) {
        return sendGridDoors.get(door).endpoint();
    }

    /** Reports the handles of all emails that arrive by SendGrid's API. */
    void handles(Consumer<String> wanted) {
        sendGridDoors.forEach(door -> door.handles = wanted);
    }

    /** Makes each answer for the message with this subject take this long. */
    synchronized void slow(String subject, Duration eachMail) {
        slow.put(subject, eachMail);
    }

    /** Makes each answer for the emails of this message to these recipients take this long. */
    synchronized void slowFor(String subject, List<String> recipients, Duration eachMail) {
        recipients.forEach(recipient -> slowRecipients.put(subject + " " + recipient, eachMail));
    }

    /** Returns the number of complete emails that each recipient got. */
    synchronized Map<String, Integer> times(String subject) {
        return Map.copyOf(timesByRecipient.getOrDefault(subject, Map.of()));
    }

    /** Returns whether any email for this recipient arrived. */
    synchronized boolean hasMailed(String recipient) {
        return timesByRecipient.values().stream().anyMatch(times -> times.containsKey(recipient));
    }

    /** Returns the number of complete emails of a message. */
    int mails(String subject) {
        return byDoor(subject).values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns the number of emails of a message by door. */
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
