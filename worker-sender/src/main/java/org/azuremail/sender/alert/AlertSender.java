package org.azuremail.sender.alert;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.azuremail.limit.RateLimitWait;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailLot;
import org.azuremail.route.Attempt;
import org.azuremail.route.Routes;
import org.azuremail.time.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands single emails to admins over, through the transports that lists use by default. */
record AlertSender(Routes routes, Time time) {

    private static final Logger LOG = LoggerFactory.getLogger(AlertSender.class);

    /** The number of tries for an email, because the limits of a transport that sends lists are never free for long. */
    private static final int TRIES = 10;

    private static final Duration MAX_WAIT = Duration.ofSeconds(5);

    /** A transport that can take the email to this admin immediately. */
    record Ready(EmailAddress to, Routes.Pick.Selected selected, Attempt attempt) {}

    /** Returns the admins to whom an email can leave immediately; empty when no transport takes any. */
    List<Ready> ready(List<EmailAddress> admins) {
        Attempt attempt = new Attempt("alert", time, () -> true);
        return admins.stream()
                .flatMap(admin -> pick(attempt).map(selected -> new Ready(admin, selected, attempt)).stream())
                .toList();
    }

    private Optional<Routes.Pick.Selected> pick(Attempt attempt) {
        for (int i = 0; i < TRIES; i++) {
            Routes.Single single = routes.pickForOne(null, attempt);
            RateLimitWait wait = single.limit();
            if (!(single.pick() instanceof Routes.Pick.Selected selected)
                    || wait.duration().compareTo(MAX_WAIT) > 0) {
                return Optional.empty();
            }
            if (wait.isZero()) {
                return Optional.of(selected);
            }
            if (!time.pause(wait.duration())) {
                throw new IllegalStateException("the process stops");
            }
        }
        return Optional.empty();
    }

    /** @return whether the provider decided, so that the email must not be sent again */
    boolean send(Ready ready, MailLot lot) {
        HandOverResult result = routes.handOver(ready.selected(), null, ready.attempt(), lot, () -> true);
        if (result.unavailable().isPresent()) {
            LOG.info("no email to an admin: {}", result.unavailable().get().reason());
            return false;
        }
        Answer answer = result.answers().get(0);
        if (answer instanceof Answer.Refused refused) {
            LOG.warn("The provider refused an email to the admin {}: {}", ready.to(), refused.reason());
        }
        return !(answer instanceof Answer.RetryAfter || answer instanceof Answer.NotAttempted);
    }
}
