package org.azuremail.mail;

/** The choices for a recipient when nobody knows whether the email was taken. */
public enum OnUnknown {
    /** Record it as Unknown: a person or the provider's events decide. Nobody gets a mail twice. */
    HOLD,
    /** Hand it over once more, and only once. */
    RESEND
}
