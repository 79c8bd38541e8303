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
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * Sees every hand-over, every write of a control row and every act of a person in the order in which they happened, and
 * throws at the first that breaks a promise.
 */
final class Witness {

    private final Baton baton;
    private final OnUnknown onUnknown;
    private final Duration ownMargin;
    private final Map<String, Integer> taken = new TreeMap<>();
    private final Map<String, Long> left = new HashMap<>();
    private final Map<String, Duration> clocks = new HashMap<>();
    private final List<Lapsed> lapsed = new ArrayList<>();
    private long pausedAt = Long.MAX_VALUE;
    private long editedAt = Long.MAX_VALUE;
    private int takenOver;

    Witness(Baton baton, OnUnknown onUnknown, Duration ownMargin) {
        this.baton = baton;
        this.onUnknown = onUnknown;
        this.ownMargin = ownMargin;
    }

    /** A lot that was being handed over when somebody else took its range. */
    private record Lapsed(String from, String to) {
        boolean covers(String rowKey) {
            return from.compareTo(rowKey) <= 0 && rowKey.compareTo(to) <= 0;
        }
    }

    /** The provider takes a mail, in a hand-over whose Handing was written at this step. */
    void takes(String address, String subject, long began) {
        baton.note("hands over to " + address);
        int times = taken.merge(address, 1, Integer::sum);
        require(times == 1 || onUnknown == OnUnknown.RESEND, "I2: handed over twice under hold: " + address);
        require(times == 1 || wasInDoubt(rowKey(address)), "I2: handed over twice, never in doubt: " + address);
        require(times < 3, "I2: handed over three times: " + address);
        require(began <= left.getOrDefault(address, Long.MAX_VALUE), "I7: handed over after leaving: " + address);
        require(began <= pausedAt, "handed over while paused: " + address);
        require(began <= editedAt || subject.equals("Changed"), "handed over with the old subject: " + address);
    }

    int timesTaken(String address) {
        return taken.getOrDefault(address, 0);
    }

    /** The page said: you are unsubscribed. */
    void hasLeft(String address) {
        left.put(address, baton.steps());
    }

    void hasPaused() {
        pausedAt = baton.steps();
    }

    void resumes() {
        pausedAt = Long.MAX_VALUE;
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
            lapsed.add(new Lapsed(before.requireString("LotFrom"), before.requireString("LotTo")));
        }
    }

    void recordsUnknown(String rowKey) {
        require(wasInDoubt(rowKey), "Unknown without a hand-over in flight: " + rowKey);
    }

    boolean wasInDoubt(String rowKey) {
        return lapsed.stream().anyMatch(lot -> lot.covers(rowKey));
    }

    static String rowKey(String address) {
        return Recipient.rowKey(new EmailAddress(address));
    }

    int takenOver() {
        return takenOver;
    }

    int lapsedLots() {
        return lapsed.size();
    }

    private static void require(boolean kept, String promise) {
        if (!kept) {
            throw new AssertionError(promise);
        }
    }
}
