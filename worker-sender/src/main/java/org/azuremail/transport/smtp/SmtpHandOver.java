package org.azuremail.transport.smtp;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.Unavailable;
import org.azuremail.mail.mime.MimeTemplate;
import org.azuremail.reason.Reason;
import org.azuremail.time.Time;
import org.azuremail.transport.smtp.SmtpConnector.ConnectResult;
import org.azuremail.transport.smtp.SmtpReply.Stage;
import org.azuremail.transport.smtp.SmtpVerdict.Closed;
import org.jspecify.annotations.Nullable;

/**
 * The hand-over of one lot: email after email over one connection, or over another one when a proven connection ends.
 */
final class SmtpHandOver {

    /** The number of broken conversations from which on the server is considered the cause. */
    private static final int MAX_BROKEN = 3;

    /** The number of refusals in a row from which on refusals that seem to concern this sender are treated as such. */
    private static final int MAX_SUSPECTS = 3;

    /** The size that every server must take: RFC 5321, 4.5.3.1.7. */
    private static final int LEAST_SIZE = 64 * 1024;

    private final SmtpConnections connections;
    private final MailLot lot;
    private final LotGuard guard;
    private final MimeTemplate template;

    /**
     * Set once the server took an email of this content. After that, a refusal as too large concerns one person's
     * email.
     */
    private final AtomicBoolean taken;

    private final String date;
    private final List<Answer> answers;
    private @Nullable SmtpConnection connection;

    /**
     * The recipients who were refused as if the server took nothing from this sender, and the server's words; their
     * emails are not taken.
     */
    private final Map<Integer, Suspected> suspects = new LinkedHashMap<>();

    /** The number of emails without an answer since the last answer, each in a new conversation. */
    private int consecutiveBreaks;

    private Optional<Unavailable> unavailable = Optional.empty();

    /** @param stage the server accepts the sender, or the message, as soon as another email gets past this stage */
    private record Suspected(Stage stage, Unavailable why, Answer.Refused otherwise) {}

    SmtpHandOver(
            SmtpConnections connections,
            MailLot lot,
            LotGuard guard,
            MimeTemplate template,
            AtomicBoolean taken,
            Time time) {
        this.connections = connections;
        this.lot = lot;
        this.guard = guard;
        this.template = template;
        this.taken = taken;
        this.date = MimeTemplate.date(time.instant());
        this.answers = new ArrayList<>(Collections.nCopies(lot.mails().size(), new Answer.NotAttempted()));
    }

    HandOverResult run() {
        if (!Envelope.isTransmittable(header())) {
            return HandOverResult.notAttempted(
                    answers.size(), connections.connector().pause(SmtpReason.SMTP_FROM, ""));
        }
        try {
            for (int place = 0; place < answers.size() && unavailable.isEmpty() && guard.allows(place); place++) {
                next(place);
            }
        } catch (RuntimeException broken) {
            if (connection != null) {
                connection.abandon();
            }
            throw broken;
        } finally {
            if (connection != null) {
                connections.giveBack(connection);
            }
        }
        // Only the caller, who knows other lots, can tell whether the last suspicions concern the sender or the
        // recipients.
        return new HandOverResult(answers, unavailable.or(this::deferSuspects));
    }

    /**
     * Handles unresolved refusals: the server takes no emails from this sender, and no recipient's tries are counted.
     * In case the refusals concern these recipients after all, the next lot must not begin with the same ones, so they
     * are sent last.
     */
    private Optional<Unavailable> deferSuspects() {
        if (suspects.isEmpty() || guard.stopped()) {
            return Optional.empty();
        }
        suspects.forEach((place, suspect) -> answers.set(
                place,
                new Answer.RetryAfter(SmtpVerdict.DEFERRAL, suspect.otherwise().reason(), true)));
        return Optional.of(suspects.values().iterator().next().why());
    }

    private void next(int place) {
        if (!Envelope.isTransmittable(to(place))) {
            answers.set(place, new Answer.Refused(Reason.of(SmtpReason.SMTP_ADDRESS)));
            return;
        }
        SmtpConnection used = connected(place);
        if (used != null) {
            send(place, used);
            guard.answered(place, answers.get(place));
        }
    }

    /** Returns null when no connection exists, or when opening one took too long. */
    private @Nullable SmtpConnection connected(int place) {
        if (connection != null && !connection.isReadyFor(envelope(place))) {
            SmtpConnection broken = connection;
            connection = null;
            use(connections.reopen(broken, guard::mayWait));
        } else if (connection == null) {
            use(connections.borrow(guard::mayWait));
        }
        return guard.stillAllows() ? connection : null;
    }

    private void use(ConnectResult borrowed) {
        if (borrowed instanceof ConnectResult.Ready ready) {
            connection = ready.connection();
        } else if (borrowed instanceof ConnectResult.None none) {
            // A wait that was ended by a stop says nothing about the server.
            unavailable = guard.stopped() ? Optional.empty() : Optional.of(none.why());
        }
    }

    private void send(int place, SmtpConnection used) {
        if (envelope(place).needsUtf8() && !used.server().utf8()) {
            withoutUtf8(place);
            return;
        }
        byte[] mail = template.merge(lot.mails().get(place), date);
        if (mail.length > used.server().largest()) {
            overSize(place, mail.length, used);
            return;
        }
        Optional<SmtpReply> refused = used.offer(envelope(place));
        if (refused.isPresent()) {
            settle(place, used, refused.get(), mail.length);
            return;
        }
        clearSuspects(true);
        if (guard.stillAllows() && guard.begins(place)) {
            settle(place, used, used.send(mail, ahead(place + 1, used)), mail.length);
        } else {
            used.abandon();
        }
    }

    private void withoutUtf8(int place) {
        if (Envelope.needsUtf8(header())) {
            unavailable = Optional.of(connections.connector().pause(SmtpReason.SMTP_FROM_UTF8, ""));
        } else {
            answers.set(place, new Answer.Refused(Reason.of(SmtpReason.SMTP_ADDRESS_UTF8)));
        }
    }

    /** Handles a server that takes less than it must. It would refuse every recipient, because of its setting. */
    private void overSize(int place, long size, SmtpConnection used) {
        long largest = used.server().largest();
        Answer.Refused refused = new Answer.Refused(Reason.of(SmtpReason.SMTP_TOO_LARGE, size, largest));
        if (largest < LEAST_SIZE) {
            Unavailable why = connections.connector().pause(SmtpReason.SMTP_SMALL, Long.toString(largest));
            suspect(place, used.proven(), new Suspected(Stage.DATA, why, refused));
        } else {
            tooLarge(place, SmtpReason.SMTP_MESSAGE_OVER_SIZE, size, largest, refused);
        }
    }

    /**
     * Handles an email that is too large. If other emails of the message leave, this concerns one person's email; the
     * connection may have carried only other messages.
     */
    private void tooLarge(int place, SmtpReason code, long size, Object limit, Answer.Refused refused) {
        Unavailable why = connections.connector().messageTooLarge(code, size, limit);
        suspect(place, taken.get(), new Suspected(Stage.END, why, refused));
    }

    /** Returns the next email's envelope if that email may follow before this one is answered. */
    private @Nullable Envelope ahead(int place, SmtpConnection used) {
        boolean may = used.server().pipelining()
                && place < answers.size()
                && Envelope.isTransmittable(to(place))
                && (used.server().utf8() || !envelope(place).needsUtf8())
                && guard.allows(place);
        return may ? envelope(place) : null;
    }

    private void settle(int place, SmtpConnection used, SmtpReply reply, int size) {
        SmtpVerdict verdict = SmtpVerdict.of(reply);
        if (verdict instanceof SmtpVerdict.Answered answered) {
            answers.set(place, answered.answer());
            consecutiveBreaks = 0;
            if (reply.accepted()) {
                taken.set(true);
                clearSuspects(false);
            }
        } else if (verdict instanceof SmtpVerdict.InDoubt doubt) {
            answers.set(place, doubt.answer());
            if (place + 1 < answers.size()) {
                unavailable = Optional.of(connections.connector().wait(SmtpReason.SMTP_HALF_ANSWERED, reply.reason()));
            }
        } else if (verdict instanceof Closed closed) {
            unavailable = Optional.of(connections.connector().unavailable(closed));
        } else if (verdict instanceof SmtpVerdict.Suspect suspect) {
            boolean takesOthers = reply.stage() == Stage.RCPT ? used.relays() : used.proven();
            Unavailable why = connections.connector().unavailable(suspect.closed());
            suspect(place, takesOthers, new Suspected(reply.stage(), why, suspect.otherwise()));
        } else if (verdict instanceof SmtpVerdict.TooLarge large) {
            tooLarge(place, SmtpReason.SMTP_MESSAGE_TOO_LARGE, size, reply.text(), large.otherwise());
        } else if (verdict instanceof SmtpVerdict.Broke) {
            handleBroken(place, used, reply);
        }
    }

    /**
     * Handles a suspicious refusal. If the server takes other emails, it concerns the recipient; otherwise the next
     * emails decide.
     */
    private void suspect(int place, boolean takesOthers, Suspected suspect) {
        if (takesOthers) {
            answers.set(place, suspect.otherwise());
            return;
        }
        suspects.put(place, suspect);
        if (suspects.size() == MAX_SUSPECTS) {
            unavailable = deferSuspects();
        }
    }

    /**
     * Settles earlier refusals: the server takes emails from this sender, at least up to this stage, so these refusals
     * concerned the recipients.
     */
    private void clearSuspects(boolean recipientsOnly) {
        suspects.entrySet().removeIf(entry -> {
            boolean cleared = !recipientsOnly || entry.getValue().stage() == Stage.RCPT;
            if (cleared) {
                answers.set(entry.getKey(), entry.getValue().otherwise());
            }
            return cleared;
        });
    }

    /**
     * Handles a conversation that broke at this email. Servers end a connection after a number of emails, a refusal or
     * a pause; in that case another connection takes the email. Otherwise the email is left for later, and the next
     * ones show whether this recipient is the cause.
     */
    private void handleBroken(int place, SmtpConnection used, SmtpReply reply) {
        if (!guard.allowsAgain()) {
            return;
        }
        if (used.worked() && reply.lostBeforeAccepted()) {
            SmtpConnection other = connected(place);
            if (other != null) {
                send(place, other);
            }
            return;
        }
        boolean concernsSender = reply.stage() == Stage.MAIL
                && (reply.code() == SmtpReply.CLOSING || !used.server().pipelining());
        if (!concernsSender) {
            Reason why =
                    reply.code() == SmtpReply.NONE ? Reason.of(SmtpReason.SMTP_BROKE, reply.reason()) : reply.reason();
            answers.set(place, new Answer.RetryAfter(SmtpVerdict.DEFERRAL, why, true));
            consecutiveBreaks++;
        }
        boolean allOfSome = answers.size() > 1 && consecutiveBreaks == answers.size();
        if (concernsSender || allOfSome || consecutiveBreaks == MAX_BROKEN) {
            unavailable = Optional.of(connections.connector().wait(SmtpReason.SMTP_TAKES_NOTHING, reply.reason()));
        }
    }

    private Envelope envelope(int place) {
        return new Envelope(from(place), to(place));
    }

    /** Returns the From address. One outside ASCII needs a server that accepts such addresses. */
    private String from(int place) {
        String returnPath = lot.mails().get(place).returnPath();
        return returnPath == null || Envelope.needsUtf8(header()) ? header() : returnPath;
    }

    private String header() {
        return lot.content().from().address().value();
    }

    private String to(int place) {
        return lot.mails().get(place).to().address().value();
    }
}
