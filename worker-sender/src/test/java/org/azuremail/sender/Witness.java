package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.azuremail.delivery.Recipient;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageStatus;
import org.azuremail.sender.Baton.Wrote;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * Sees every hand-over, every write of a control row and every act of a person in the order in which they happened, and
 * throws at the first that breaks a promise.
 */
final class Witness {

    static final String EDITED = "Changed";

    private final Baton baton;
    private final OnUnknown onUnknown;
    private final Duration ownMargin;
    private final Map<String, Integer> taken = new TreeMap<>();
    private final Map<String, Integer> takenInGeneration = new TreeMap<>();
    private final Map<String, Long> left = new HashMap<>();
    private final Map<String, Duration> clocks = new HashMap<>();
    private final List<Doubt> doubts = new ArrayList<>();
    private long pausedAt = Long.MAX_VALUE;
    private long editedAt = Long.MAX_VALUE;
    private long endedAt = Long.MAX_VALUE;
    private int resumed;
    private int resuming;
    private int generation;
    private int completions;
    private int takenOver;
    private int lapsedLots;

    Witness(Baton baton, OnUnknown onUnknown, Duration ownMargin) {
        this.baton = baton;
        this.onUnknown = onUnknown;
        this.ownMargin = ownMargin;
    }

    /** Somebody whose mail of a generation may have left: the lot lapsed, or nobody knows. */
    private record Doubt(int generation, String from, String to) {
        boolean covers(String rowKey, int inGeneration) {
            return generation == inGeneration && from.compareTo(rowKey) <= 0 && rowKey.compareTo(to) <= 0;
        }
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

    /** Somebody is about to let the message go on. */
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

    /** How often somebody let the message go on. */
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

    /** A range's control row was written by a process whose clock is off by so much. */
    void rangeWritten(@Nullable Values before, Values after, Instant now, Duration offset) {
        String newNonce = after.string("Nonce", "");
        clocks.putIfAbsent(newNonce, offset);
        String state = before == null ? "" : before.string("State", "");
        boolean held = state.equals("CLAIMED") || state.equals("HANDING");
        if (!held || newNonce.isEmpty() || newNonce.equals(before.string("Nonce", ""))) {
            return;
        }
        takenOver++;
        baton.note("takes a range over that was " + state);
        Instant holdersClock = now.plus(clocks.get(before.string("Nonce", "")));
        Instant holdersEnd = before.requireInstant("LeaseEnd").minus(ownMargin);
        require(!holdersClock.isBefore(holdersEnd), "I4: taken from a live holder");
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
        require(wasInDoubt(rowKey, inGeneration), "Unknown without a hand-over in flight: " + rowKey);
    }

    /** The provider's answer says nothing. */
    void isInDoubt(String address, int inGeneration) {
        doubts.add(new Doubt(inGeneration, rowKey(address), rowKey(address)));
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
