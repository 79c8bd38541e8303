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
 * The record of an address beyond all lists. Events from before a release change nothing any more, so that they may
 * come twice, late and in any order.
 *
 * @param since what it is suppressed for; {@code null} when it only has soft bounces, which do not suppress it yet
 * @param release how it was released after that; {@code null} while it is suppressed
 * @param softBounces the emails that came back for reasons that pass, and when; those before a release are forgotten
 */
public record Suppression(
        EmailAddress address, @Nullable Act since, @Nullable Act release, Map<String, Instant> softBounces) {

    /** More are not counted. */
    private static final int MOST_SOFT = 20;

    /**
     * One who suppressed or released it.
     *
     * @param reason of a suppression; {@code null} of a release
     * @param by the admin; empty when it was an event
     * @param why what the admin or the event said; may be empty
     */
    public record Act(@Nullable SuppressionReason reason, Instant at, String by, String why) {

        private static final int LONGEST = 500;

        /** Of the reason; empty of a release. */
        public String code() {
            return reason == null ? "" : reason.name();
        }

        public Act {
            why = Reason.cut(why, LONGEST).strip();
        }
    }

    public Suppression {
        softBounces = Map.copyOf(softBounces);
    }

    static Suppression unknown(EmailAddress address) {
        return new Suppression(address, null, null, Map.of());
    }

    /** Returns whether nobody may mail it. */
    public boolean active() {
        return since != null && release == null;
    }

    private boolean isOld(Instant event) {
        return release != null && !event.isAfter(release.at());
    }

    /** Of two acts the one with the later reason counts, otherwise the earlier one: whichever came first. */
    Suppression suppressed(Act act) {
        if (isOld(act.at())) {
            return this;
        }
        boolean counts = since == null
                || release != null
                || rank(act) > rank(since)
                || (rank(act) == rank(since) && act.at().isBefore(since.at()));
        return counts ? new Suppression(address, act, null, softBounces) : this;
    }

    private static int rank(Act act) {
        return act.reason() == null ? -1 : act.reason().ordinal();
    }

    /**
     * An email came back for a reason that passes; so many within the time suppress it.
     *
     * @param email names it: the same one counts once
     */
    Suppression softBounced(String email, Instant at, int most, Duration within) {
        if (isOld(at)) {
            return this;
        }
        Map<String, Instant> all = new TreeMap<>(softBounces);
        all.merge(email, at, (one, other) -> one.isBefore(other) ? one : other);
        Instant newest = all.values().stream().max(Instant::compareTo).orElse(at);
        all.values().removeIf(one -> one.isBefore(newest.minus(within)));
        Suppression noted = all.size() > MOST_SOFT ? this : new Suppression(address, since, release, all);
        return all.size() >= most
                ? noted.suppressed(new Act(SuppressionReason.SUPPRESSED_SOFT_BOUNCES, newest, "", ""))
                : noted;
    }

    Suppression released(Instant at, String by, String why) {
        return new Suppression(address, since, new Act(null, at, by, why), Map.of());
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
                        : new Act(
                                reason(reason),
                                v.requireInstant("SuppressedAt"),
                                v.string("SuppressedBy", ""),
                                v.string("Why", "")),
                releasedAt == null
                        ? null
                        : new Act(null, releasedAt, v.string("ReleasedBy", ""), v.string("ReleasedWhy", "")),
                soft);
    }

    /** One of a later version is as good as an admin's word. */
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
     * The reasons why an address gets no email. Rows hold these names: a name may be added, never changed. A later one overrules an
     * earlier one.
     */
    public enum SuppressionReason implements Reason.Code {
        /** Emails to it came back several times, for reasons that pass. */
        SUPPRESSED_SOFT_BOUNCES,
        /** It came with a list of such addresses. */
        SUPPRESSED_IMPORTED,
        SUPPRESSED_BY_ADMIN,
        /** An email to it came back for good. */
        SUPPRESSED_BOUNCE,
        /** Its owner marked an email as spam. */
        SUPPRESSED_COMPLAINT
    }
}
