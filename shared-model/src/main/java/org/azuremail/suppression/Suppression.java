package org.azuremail.suppression;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.azuremail.id.AsciiWord;
import org.azuremail.mail.EmailAddress;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * The suppression of an address on all lists. Events from before a release have no effect, so events may be repeated,
 * late and in any order.
 *
 * @param since why and when it was suppressed; {@code null} if it only has soft bounces, which do not suppress it yet
 * @param release how it was released after that; {@code null} while it is suppressed
 * @param softBounces the emails that bounced for temporary reasons, and when; those before a release are deleted
 */
public record Suppression(
        EmailAddress address,
        @Nullable SuppressionAction since,
        @Nullable SuppressionAction release,
        Map<String, Instant> softBounces) {

    /** The most soft bounces that are recorded. */
    private static final int MAX_SOFT = 20;

    /**
     * A suppression or a release of the address.
     *
     * @param reason the reason of a suppression; {@code null} for a release
     * @param by the admin; empty for an event
     * @param why the words of the admin or the event; may be empty
     */
    public record SuppressionAction(@Nullable SuppressionReason reason, Instant at, String by, String why) {

        private static final int MAX_LENGTH = 500;

        /** Returns the name of the reason; empty for a release. */
        public String code() {
            return reason == null ? "" : reason.name();
        }

        public SuppressionAction {
            why = Reason.truncate(why, MAX_LENGTH).strip();
        }
    }

    public Suppression {
        softBounces = Map.copyOf(softBounces);
    }

    static Suppression none(EmailAddress address) {
        return new Suppression(address, null, null, Map.of());
    }

    /** Returns whether no email may be sent to the address. */
    public boolean active() {
        return since != null && release == null;
    }

    private boolean isOld(Instant event) {
        return release != null && !event.isAfter(release.at());
    }

    /**
     * Returns a copy after this act. Of two acts, the one with the later reason in the enum counts, and of two with the
     * same reason the earlier one, in whichever order they are recorded.
     */
    Suppression suppressed(SuppressionAction action) {
        if (isOld(action.at())) {
            return this;
        }
        boolean counts = since == null
                || release != null
                || rank(action) > rank(since)
                || (rank(action) == rank(since) && action.at().isBefore(since.at()));
        return counts ? new Suppression(address, action, null, softBounces) : this;
    }

    private static int rank(SuppressionAction action) {
        return action.reason() == null ? -1 : action.reason().ordinal();
    }

    /**
     * Records an email that bounced for a temporary reason. Enough of them within the time suppress the address.
     *
     * @param email the name of the email, which counts only once
     */
    Suppression softBounced(String email, Instant at, int max, Duration within) {
        if (isOld(at)) {
            return this;
        }
        Map<String, Instant> all = new TreeMap<>(softBounces);
        all.merge(email, at, (one, other) -> one.isBefore(other) ? one : other);
        Instant newest = all.values().stream().max(Instant::compareTo).orElse(at);
        all.values().removeIf(one -> one.isBefore(newest.minus(within)));
        Suppression noted = all.size() > MAX_SOFT ? this : new Suppression(address, since, release, all);
        return all.size() >= max
                ? noted.suppressed(new SuppressionAction(SuppressionReason.SUPPRESSED_SOFT_BOUNCES, newest, "", ""))
                : noted;
    }

    boolean hasOnlySoftBouncesBefore(Instant instant) {
        return since == null && release == null && softBounces.values().stream().allMatch(at -> at.isBefore(instant));
    }

    Suppression released(Instant at, String by, String why) {
        return new Suppression(address, since, new SuppressionAction(null, at, by, why), Map.of());
    }

    static Suppression from(Values v) {
        String reason = v.string("Reason");
        Instant releasedAt = v.instant("ReleasedAt");
        Map<String, Instant> soft = Arrays.stream(v.string("SoftBounces", "").split(" "))
                .filter(one -> one.contains("@"))
                .map(one -> one.split("@", 2))
                .collect(Collectors.toMap(one -> one[0], one -> Instant.parse(one[1]), (one, same) -> one));
        return new Suppression(
                new EmailAddress(v.requireString("EmailAddress")),
                reason == null
                        ? null
                        : new SuppressionAction(
                                reason(reason),
                                v.requireInstant("SuppressedAt"),
                                v.string("SuppressedBy", ""),
                                v.string("Why", "")),
                releasedAt == null
                        ? null
                        : new SuppressionAction(
                                null, releasedAt, v.string("ReleasedBy", ""), v.string("ReleasedWhy", "")),
                soft);
    }

    /** Returns the reason with this name. A name from a later version counts as an admin's decision. */
    private static SuppressionReason reason(String stored) {
        return AsciiWord.find(SuppressionReason.class, SuppressionReason::name, stored)
                .orElse(SuppressionReason.SUPPRESSED_BY_ADMIN);
    }

    Values values() {
        Values.Builder v = Values.builder().put("EmailAddress", address.value());
        if (since != null) {
            v.put("Reason", since.reason() == null ? null : since.reason().name())
                    .put("SuppressedAt", since.at())
                    .put("SuppressedBy", since.by())
                    .put("Why", since.why());
        }
        if (release != null) {
            v.put("ReleasedAt", release.at()).put("ReleasedBy", release.by()).put("ReleasedWhy", release.why());
        }
        if (!softBounces.isEmpty()) {
            v.put(
                    "SoftBounces",
                    new TreeMap<>(softBounces)
                            .entrySet().stream()
                                    .map(one -> one.getKey() + "@" + one.getValue())
                                    .collect(Collectors.joining(" ")));
        }
        return v.build();
    }

    /**
     * The reasons why an address gets no email. Rows contain these names: new ones may be added, but none may change. A
     * later reason overrules an earlier one.
     */
    public enum SuppressionReason implements Reason.Code {
        /** Emails to the address bounced several times for temporary reasons. */
        SUPPRESSED_SOFT_BOUNCES,
        /** The address was imported with a list of suppressed addresses. */
        SUPPRESSED_IMPORTED,
        SUPPRESSED_BY_ADMIN,
        /** An email to the address bounced permanently. */
        SUPPRESSED_BOUNCE,
        /** The owner of the address marked an email as spam. */
        SUPPRESSED_COMPLAINT
    }
}
