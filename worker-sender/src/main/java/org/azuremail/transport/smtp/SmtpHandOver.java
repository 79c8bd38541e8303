package org.azuremail.transport.smtp;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOver;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MimeTemplate;
import org.azuremail.mail.Unavailable;
import org.azuremail.time.Time;
import org.azuremail.transport.smtp.SmtpConnections.Borrowed;
import org.jspecify.annotations.Nullable;

/** One lot on its way: mail after mail over one connection, or over the next when a proven one ends. */
final class SmtpHandOver {

    private final SmtpConnections connections;
    private final SmtpConnector connector;
    private final MailLot lot;
    private final LotGuard guard;
    private final MimeTemplate template;
    private final String date;
    private final List<Answer> answers;
    private @Nullable SmtpConnection connection;
    private Optional<Unavailable> unavailable = Optional.empty();

    SmtpHandOver(
            SmtpConnections connections,
            SmtpConnector connector,
            MailLot lot,
            LotGuard guard,
            MimeTemplate template,
            Time time) {
        this.connections = connections;
        this.connector = connector;
        this.lot = lot;
        this.guard = guard;
        this.template = template;
        this.date = MimeTemplate.date(time.instant());
        this.answers = new ArrayList<>(Collections.nCopies(lot.mails().size(), new Answer.Untaken()));
    }

    HandOver run() {
        if (!Envelope.carries(from())) {
            return HandOver.untaken(
                    answers.size(), connector.pause("cannot carry the From address: it has letters outside ASCII"));
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
        return new HandOver(answers, unavailable);
    }

    private void next(int place) {
        if (!Envelope.carries(to(place))) {
            answers.set(place, new Answer.Refused("This address has letters outside ASCII, which SMTP cannot carry."));
            return;
        }
        SmtpConnection used = connected(place);
        if (used != null) {
            send(place, used);
            guard.answered(place, answers.get(place));
        }
    }

    /** None when there is none, or when getting it took the time that we had. */
    private @Nullable SmtpConnection connected(int place) {
        if (connection != null && !connection.takes(envelope(place))) {
            use(connections.reopen(connection));
        } else if (connection == null) {
            use(connections.borrow());
        }
        return guard.stillAllows() ? connection : null;
    }

    private void use(Borrowed borrowed) {
        if (borrowed instanceof Borrowed.Ready ready) {
            connection = ready.connection();
        } else if (borrowed instanceof Borrowed.None none) {
            connection = null;
            unavailable = Optional.of(none.why());
        }
    }

    private void send(int place, SmtpConnection used) {
        byte[] mail = template.merge(lot.mails().get(place), date);
        if (mail.length > used.server().largest()) {
            answers.set(place, tooLarge(mail.length, used.server().largest()));
            return;
        }
        Optional<SmtpReply> refused = used.offer(envelope(place));
        if (refused.isPresent()) {
            settle(place, used, refused.get());
        } else if (guard.stillAllows() && guard.begins(place)) {
            settle(place, used, used.send(mail, ahead(place + 1, used)));
        } else {
            used.abandon();
        }
    }

    private static Answer tooLarge(long size, long largest) {
        return new Answer.Refused(
                "The mail has " + size + " bytes, and the server takes no more than " + largest + ".");
    }

    /** The next mail's envelope, when that mail may follow without a look at the answer to this one. */
    private @Nullable Envelope ahead(int place, SmtpConnection used) {
        boolean may = used.server().pipelining()
                && place < answers.size()
                && Envelope.carries(to(place))
                && guard.allows(place);
        return may ? envelope(place) : null;
    }

    private void settle(int place, SmtpConnection used, SmtpReply reply) {
        SmtpVerdict verdict = SmtpVerdict.of(reply);
        if (verdict instanceof SmtpVerdict.Answered answered) {
            answers.set(place, answered.answer());
        } else if (verdict instanceof SmtpVerdict.InDoubt doubt) {
            answers.set(place, doubt.answer());
            if (place + 1 < answers.size()) {
                unavailable = Optional.of(connector.wait("did not answer a whole mail: " + reply.text()));
            }
        } else if (verdict instanceof SmtpVerdict.Closed closed) {
            unavailable = Optional.of(connector.unavailable(closed));
        } else if (verdict instanceof SmtpVerdict.Reconnect lost) {
            again(place, used, lost);
        }
    }

    /** Servers end a connection after so many mails or so much rest; one that never carried a mail tells more. */
    private void again(int place, SmtpConnection lost, SmtpVerdict.Reconnect why) {
        if (!lost.proven()) {
            unavailable = Optional.of(connector.wait("takes nothing for now: " + why.reason()));
            return;
        }
        SmtpConnection other = guard.allowsAgain() ? connected(place) : null;
        if (other != null) {
            send(place, other);
        }
    }

    private Envelope envelope(int place) {
        return new Envelope(from(), to(place));
    }

    private String from() {
        return lot.content().from().address().value();
    }

    private String to(int place) {
        return lot.mails().get(place).to().address().value();
    }
}
