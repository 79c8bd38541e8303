package org.azuremail.mail;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How mail leaves.
 *
 * @param transport who takes it
 * @param rate mails a second over all senders; 0 means no limit; when it is not set, {@link #CAUTIOUS_RATE} for SMTP and
 *     no limit for the others
 * @param ratePerMinute mails in any minute, at first; 0 means no limit, as in the next two
 * @param ratePerHour mails in any hour, at first
 * @param ratePerDay mails in any 24 hours, at first
 * @param onUnknown what a message does about unknown outcomes unless it says so itself
 */
@ConfigurationProperties("azuremail.mail")
public record MailProperties(
        @DefaultValue("outbox") Transport transport,
        @Nullable Integer rate,
        @DefaultValue("0") int ratePerMinute,
        @DefaultValue("0") int ratePerHour,
        @DefaultValue("0") int ratePerDay,
        @DefaultValue("hold") OnUnknown onUnknown) {

    /** Where SMTP starts: few servers turn away who sends so little. */
    public static final int CAUTIOUS_RATE = 10;

    /** The adapters. */
    public enum Transport {
        /** Kept here and shown; nothing leaves. */
        OUTBOX,
        /** An SMTP server. */
        SMTP,
        /** SendGrid's Web API v3. */
        SENDGRID
    }

    public MailProperties {
        if (rate != null && rate < 0) {
            throw new IllegalArgumentException("azuremail.mail.rate must not be negative; 0 means no limit");
        }
        if (ratePerMinute < 0 || ratePerHour < 0 || ratePerDay < 0) {
            throw new IllegalArgumentException("azuremail.mail.rate-per-… must not be negative; 0 means no limit");
        }
    }

    /** Mails a second over all senders until somebody changes it on the page; 0 means no limit. */
    public int startingRate() {
        if (rate != null) {
            return rate;
        }
        return transport == Transport.SMTP ? CAUTIOUS_RATE : 0;
    }
}
