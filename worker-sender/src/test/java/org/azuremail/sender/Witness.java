package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.azuremail.delivery.range.DeliveryLimits;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageStatus;
import org.azuremail.sender.Baton.Look;
import org.azuremail.sender.Baton.Wrote;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * Sees every hand-over, every write of a control row and every action of a person in order, and throws at the first one
 * that breaks a promise.
 */
final class Witness {

    static final String EDITED = "Changed";

    /** The part of an address of recipients of other messages, which are never paused, edited or cancelled. */
    static final String NEIGHBOUR = "@neighbour";

    private final Baton baton;
    private final OnUnknown onUnknown;
    private final DeliveryLimits limits;
    private final Predicate<String> dead;
    private final Map<String, Integer> taken = new TreeMap<>();
    private final Map<String, Integer> takenInGeneration = new TreeMap<>();
    private final Map<String, Long> left = new HashMap<>();
    private final Map<String, Duration> leases = new HashMap<>();
    private final Map<String, Holder> holders = new HashMap<>();
    private final List<Doubt> doubts = new ArrayList<>();

    /**
     * Lots for which the provider's answer lacks some recipients. R records only bounds, and the recipients between
     * them count as in doubt.
     */
    private final List<Doubt> spans = new ArrayList<>();

    private long pausedAt = Long.MAX_VALUE;
    private long editedAt = Long.MAX_VALUE;
    private long endedAt = Long.MAX_VALUE;
    private int resumed;
    private int resuming;
    private int generation;
    private int completions;
    private int takenOver;
    private int lapsedLots;

    Witness(Baton baton, OnUnknown onUnknown, DeliveryLimits limits) {
        this(baton, onUnknown, limits, nobody -> false);
    }

    /** @param dead whether the process of an attempt has died */
    Witness(Baton baton, OnUnknown onUnknown, DeliveryLimits limits, Predicate<String> dead) {
        this.baton = baton;
        this.onUnknown = onUnknown;
        this.limits = limits;
        this.dead = dead;
    }

    /** The holder of a range, and the step since which it has held it. */
    private record Holder(String nonce, long since) {}

    /**
     * The recipients, by row key, whose email of a generation may have left because their lot lapsed or the answer is
     * unknown.
     */
    private record Doubt(int generation, String from, String to) {
        boolean covers(String rowKey, int inGeneration) {
            return generation == inGeneration && from.compareTo(rowKey) <= 0 && rowKey.compareTo(to) <= 0;
        }
    }

    /**
     * Checks that the caller holds the range when it is about to hand over an email. It has checked its lease since it
     * wrote R and since the email before, its lease had not ended then, and it was the holder of R. Later events cannot
     * be prevented.
     *
     * @param mailBefore the step at which the email before was handed over; 0 for the first of a lot
     * @return the step at which this email is handed over
     */
    long holdsTheRange(long mailBefore) {
        Wrote own = baton.wrote();
        Look look = baton.look();
        require(look.step() > own.step(), "I4: handed over without a look at the own lease after R was written");
        require(look.step() > mailBefore, "I4: the next mail without a look at the own lease");
        Duration end = own.until().minus(limits.ownMargin());
        require(look.at().compareTo(end) < 0, "I4: handed over when the own lease had ended");
        Holder holder = holders.getOrDefault(own.range(), new Holder("", 0));
        require(
                holder.nonce().equals(own.nonce()) || holder.since() > look.step(),
                "I4: handed over by somebody who does not hold the range");
        return baton.steps();
    }

    /** Records that the provider accepts an email whose hand-over was announced before. */
    void takes(String address, String subject, Wrote handing) {
        baton.note("hands over to " + address);
        taken.merge(address, 1, Integer::sum);
        int times = takenInGeneration.merge(address + " " + handing.generation(), 1, Integer::sum);
        require(times == 1 || onUnknown == OnUnknown.RESEND, "I2: handed over twice under hold: " + address);
        require(
                times == 1 || wasInDoubt(rowKey(address), handing.generation()),
                "I2: handed over twice, never in doubt: " + address);
        require(times < 3, "I2: handed over three times: " + address);
        require(handing.generation() <= generation, "handed over in a generation that nobody asked for: " + address);
        long began = handing.step();
        if (address.contains(NEIGHBOUR)) {
            return;
        }
        require(began <= left.getOrDefault(address, Long.MAX_VALUE), "I7: handed over after leaving: " + address);
        require(began <= pausedAt, "handed over while paused: " + address);
        require(began <= endedAt, "handed over after cancelling: " + address);
        require(began <= editedAt || subject.equals(EDITED), "handed over with the old subject: " + address);
    }

    int timesTaken(String address) {
        return taken.getOrDefault(address, 0);
    }

    int timesTaken(String address, int inGeneration) {
        return takenInGeneration.getOrDefault(address + " " + inGeneration, 0);
    }

    /** Records that the page has confirmed the unsubscription. */
    void hasLeft(String address) {
        left.put(address, baton.steps());
    }

    /** Records that an admin is about to resume the message. */
    void resumes() {
        resuming++;
        resumed++;
        pausedAt = Long.MAX_VALUE;
    }

    /** Records that the resumption has returned. */
    void hasResumed() {
        resuming--;
        resumed++;
    }

    /** Returns a count that grows whenever a resumption begins or ends. */
    int resumed() {
        return resumed;
    }

    /** Records a pause that has returned, unless a resumption was in progress since the pause was requested. */
    void hasPaused(int resumedBefore) {
        if (resuming == 0 && resumed == resumedBefore) {
            pausedAt = baton.steps();
        }
    }

    /** Records a cancellation that has returned. */
    void hasEnded() {
        endedAt = baton.steps();
    }

    void hasEdited() {
        editedAt = baton.steps();
    }

    /** Records a write of a range's control row. */
    void rangeWritten(String range, @Nullable Values before, Values after, Duration now) {
        String newNonce = after.string("Nonce", "");
        Instant leaseEnd = after.instant("LeaseEnd");
        boolean renews = leaseEnd != null && (before == null || !leaseEnd.equals(before.instant("LeaseEnd")));
        baton.wrote(range, newNonce, after.integer("Generation", 0), renews, limits.lease());
        holders.put(range, new Holder(newNonce, baton.steps()));
        if (before != null) {
            mayBeTakenOver(before, newNonce, now);
        }
        if (renews) {
            leases.put(newNonce, baton.wrote().until());
        }
    }

    private void mayBeTakenOver(Values before, String newNonce, Duration now) {
        String state = before.string("State", "");
        String oldNonce = before.string("Nonce", "");
        boolean held = state.equals("CLAIMED") || state.equals("HANDING");
        if (!held || newNonce.isEmpty() || newNonce.equals(oldNonce)) {
            return;
        }
        takenOver++;
        baton.note("takes a range over that was " + state);
        Duration end = leases.getOrDefault(oldNonce, Duration.ZERO).minus(limits.ownMargin());
        require(now.compareTo(end) >= 0 || dead.test(oldNonce), "I4: taken from a live holder");
        if (state.equals("HANDING")) {
            lapsedLots++;
            doubts.add(new Doubt(
                    before.integer("Generation", 0), before.requireString("LotFrom"), before.requireString("LotTo")));
        }
    }

    /** Records a write of the message's row, active or archived. */
    void messageWritten(String table, @Nullable Values before, Values after) {
        int now = after.integer("Generation", 0);
        baton.note(table + " says " + after.string("Status", "") + " in generation " + now);
        int then = before == null ? 0 : before.integer("Generation", 0);
        require(then <= now, "an older message replaced a newer one in " + table);
        generation = Math.max(generation, now);
        boolean completed = after.string("Status", "").equals(MessageStatus.COMPLETED.stored());
        if (completed && before != null && !before.string("Status", "").equals(after.string("Status", ""))) {
            require(after.string("Reopening", "").isEmpty(), "Completed while it was being reopened");
            completions++;
        }
    }

    int completions() {
        return completions;
    }

    int reopenings() {
        return generation;
    }

    void recordsUnknown(String rowKey, int inGeneration) {
        require(
                wasInDoubt(rowKey, inGeneration) || spans.stream().anyMatch(span -> span.covers(rowKey, inGeneration)),
                "Unknown without a hand-over in flight: " + rowKey);
    }

    /** Records that the provider's answer does not decide about a recipient. */
    void isInDoubt(String address, int inGeneration) {
        doubts.add(new Doubt(inGeneration, rowKey(address), rowKey(address)));
    }

    /** Records that the provider's answer does not decide about recipients between the first and the last. */
    void areInDoubt(String first, String last, int inGeneration) {
        spans.add(new Doubt(inGeneration, rowKey(first), rowKey(last)));
    }

    boolean wasInDoubt(String rowKey, int inGeneration) {
        return doubts.stream().anyMatch(doubt -> doubt.covers(rowKey, inGeneration));
    }

    private static String rowKey(String address) {
        return Recipient.rowKey(new EmailAddress(address));
    }

    int takenOver() {
        return takenOver;
    }

    int lapsedLots() {
        return lapsedLots;
    }

    private static void require(boolean kept, String promise) {
        if (!kept) {
            throw new AssertionError(promise);
        }
    }
}
