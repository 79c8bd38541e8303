package org.azuremail.transport.sendgrid;

import java.util.Set;
import org.azuremail.mail.Unavailable;
import org.azuremail.reason.Reason;
import org.jspecify.annotations.Nullable;

/** The result of one request. */
sealed interface SendGridReply {

    record Taken(@Nullable String requestId) implements SendGridReply {}

    /**
     * Nothing of it was taken, and the same request will be rejected again.
     *
     * @param named places of the recipients that SendGrid names as the cause; may be empty
     * @param tooLarge whether a smaller request may be taken
     */
    record Rejected(String reason, Set<Integer> named, boolean tooLarge) implements SendGridReply {}

    /** Nothing was taken, whatever the request. */
    record Closed(Unavailable why) implements SendGridReply {}

    record InDoubt(Reason reason) implements SendGridReply {}
}
