package org.azuremail.feedback;

import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Min;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Pattern;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;
import org.springframework.validation.annotation.Validated;

/**
 * The address for bounces, and the shares of bounces and complaints at which messages pause.
 *
 * @param bounceAddress a mailbox for bounces: {@code bounces@example.org} becomes {@code bounces+<handle>@example.org}
 *     in the return path of each email, and a {@code *} marks another place for the handle; {@code null} for the From
 *     address, without a handle
 * @param pauseAtBounces the share of bounced emails above which a message pauses; 1 for never
 * @param pauseAtComplaints the share of complaints above which a message pauses; 1 for never
 * @param pauseAfter the number of sent emails below which a message does not pause
 */
@Validated
@ConfigurationProperties("azuremail.mail")
public record FeedbackProperties(
        @Nullable String bounceAddress,

        @DefaultValue("0.05") @DecimalMin("0") @DecimalMax("1")
        double pauseAtBounces,

        @DefaultValue("0.003") @DecimalMin("0") @DecimalMax("1")
        double pauseAtComplaints,

        @DefaultValue("100") @Min(1) int pauseAfter) {

    private static final String SETTING = "azuremail.mail.bounce-address";

    public FeedbackProperties {
        bounceAddress = HandleAddress.pattern(bounceAddress, SETTING);
    }

    /** Returns the reason to pause a message with these outcomes, if there is one. */
    public Optional<Reason> findPauseReason(OutcomeCounts counts) {
        if (counts.sent() < pauseAfter) {
            return Optional.empty();
        }
        return findPauseReason(ReasonCode.TOO_MANY_COMPLAINTS, counts.complained(), counts.sent(), pauseAtComplaints)
                .or(() ->
                        findPauseReason(ReasonCode.TOO_MANY_BOUNCES, counts.bounced(), counts.sent(), pauseAtBounces));
    }

    private static Optional<Reason> findPauseReason(ReasonCode code, long some, long all, double share) {
        String percent =
                BigDecimal.valueOf(share).movePointRight(2).stripTrailingZeros().toPlainString();
        return some > share * all && share < 1 ? Optional.of(Reason.of(code, some, all, percent)) : Optional.empty();
    }

    /** Returns the return path of the email with this handle; {@code null} for the From address. */
    public @Nullable String returnPath(String handle) {
        return bounceAddress == null ? null : bounceAddress.replace("*", handle);
    }

    /** Returns the handle of a return path of this service, anywhere in a text. */
    Optional<String> handleIn(String text) {
        return HandleAddress.handleIn(bounceAddress, text);
    }

    /**
     * The address at which people unsubscribe by email.
     *
     * @param unsubscribeAddress a mailbox that a watcher for replies reads: {@code leave@example.org} becomes
     *     {@code leave+<handle>@example.org} in the List-Unsubscribe of each email, and a {@code *} marks another place
     *     for the handle; {@code null} for none
     */
    @ConfigurationProperties("azuremail.mail")
    public record UnsubscribeProperties(@Nullable String unsubscribeAddress) {

        private static final String SETTING = "azuremail.mail.unsubscribe-address";

        public UnsubscribeProperties {
            unsubscribeAddress = HandleAddress.pattern(unsubscribeAddress, SETTING);
        }

        /** @throws IllegalArgumentException if a bounce could be mistaken for a request to unsubscribe */
        public void requireDifferentFrom(FeedbackProperties bounces) {
            Assert.isTrue(
                    unsubscribeAddress == null || !unsubscribeAddress.equalsIgnoreCase(bounces.bounceAddress()),
                    SETTING + " must differ from azuremail.mail.bounce-address");
        }

        /** Returns the handle of such an address, anywhere in a text. */
        public Optional<String> handleIn(String text) {
            return HandleAddress.handleIn(unsubscribeAddress, text);
        }
    }

    /** An address that contains the handle of an email, as a pattern with a {@code *} in its place. */
    private static final class HandleAddress {

        private static final int MAX_LOCAL_PART_LENGTH = 64;

        private HandleAddress() {}

        /**
         * Reads a setting: {@code bounces@example.org} means {@code bounces+*@example.org}.
         *
         * @throws IllegalArgumentException if the address cannot contain a handle
         */
        static @Nullable String pattern(@Nullable String address, String setting) {
            if (address == null || address.isBlank()) {
                return null;
            }
            String stripped = address.strip();
            String pattern = stripped.contains("*") ? stripped : stripped.replaceFirst("@", "+*@");
            String longest = pattern.replace("*", "x".repeat(MailHandles.MAX_LENGTH));
            if (pattern.indexOf('*') != pattern.lastIndexOf('*')
                    || pattern.indexOf('*') > pattern.indexOf('@')
                    || longest.indexOf('@') > MAX_LOCAL_PART_LENGTH
                    || EmailAddress.parse(longest).isEmpty()) {
                throw new IllegalArgumentException(setting
                        + " must be an email address like bounces@example.org, with at most "
                        + (MAX_LOCAL_PART_LENGTH - MailHandles.MAX_LENGTH - 1)
                        + " characters before the @, not " + pattern.replace("+*@", "@"));
            }
            return pattern;
        }

        static Optional<String> handleIn(@Nullable String pattern, String text) {
            if (pattern == null) {
                return Optional.empty();
            }
            String[] around = pattern.split("\\*", 2);
            return Pattern.compile(
                            Pattern.quote(around[0]) + "([0-9a-z]{20," + MailHandles.MAX_LENGTH + "})"
                                    + Pattern.quote(around[1]),
                            Pattern.CASE_INSENSITIVE)
                    .matcher(text)
                    .results()
                    .map(found -> found.group(1))
                    .findFirst();
        }
    }
}
