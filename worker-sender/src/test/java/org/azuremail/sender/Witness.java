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
 * Sees every hand-over, every write of a control row and every act of a person in the order in which they happened, and
 * throws at the first that breaks a promise.
 */
final class Witness {

    static final String EDITED = "Changed";

    /** In addresses of people to whom other messages go, which nobody pauses, edits or cancels. */
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

    /** Lots of which the provider did not answer for some: R keeps bounds, and whoever is between these is as they are. */
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

    /** The holder of a range, and since when. */
    private record Holder(String nonce, long since) {}

    /** A recipient whose email of a generation may have left, because the lot lapsed or the answer is unknown. */
    private record Doubt(int generation, String from, String to) {
        boolean covers(String rowKey, int inGeneration) {
            return generation == inGeneration && from.compareTo(rowKey) <= 0 && rowKey.compareTo(to) <= 0;
        }
    }

    /**
     * A mail is about to be handed over by whoever called the provider. It has looked at its lease since it wrote R and since the
     * mail before; its lease had not ended then, and R was its own. Nobody can prevent what happens after that look.
     *
     * @param mailBefore when the mail before was handed over; 0 for the first of a lot
     * @return when this one is
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

    /** The provider takes a mail; that it would be handed over was written before. */
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

    /** The page said: you are unsubscribed. */
    void hasLeft(String address) {
        left.put(address, baton.steps());
    }

    /** An admin is about to resume the message. */
    void resumes() {
        resuming++;
        resumed++;
        pausedAt = Long.MAX_VALUE;
    }

    /** And is through with it. */
    void hasResumed() {
        resuming--;
        resumed++;
    }

    /** The number of times that somebody let the message go on. */
    int resumed() {
        return resumed;
    }

    /** A pause has returned, and since it was asked for nobody was about to let the message go on. */
    void hasPaused(int resumedBefore) {
        if (resuming == 0 && resumed == resumedBefore) {
            pausedAt = baton.steps();
        }
    }

    /** A cancellation has returned. */
    void hasEnded() {
        endedAt = baton.steps();
    }

    void hasEdited() {
        editedAt = baton.steps();
    }

    /** A range's control row was written. */
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

    /** The message's row was written, under way or archived. */
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

    /** The provider's answer says nothing. */
    void isInDoubt(String address, int inGeneration) {
        doubts.add(new Doubt(inGeneration, rowKey(address), rowKey(address)));
    }

    /** The recipients of a lot about whom the provider's answer says nothing, from the first to the last. */
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
