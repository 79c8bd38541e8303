package org.azuremail.mail;

/** The choices for a recipient when it is unknown whether the provider accepted the email. */
public enum OnUnknown {
    /**
     * Record the outcome as Unknown until an admin or the provider's events resolve it. No recipient gets an email
     * twice.
     */
    HOLD,
    /** Hand the email over again, but only once. */
    RESEND
}
