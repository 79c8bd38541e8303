package org.azuremail.transport.smtp;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOver;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport.Guard;
import org.azuremail.mail.MimeTemplate;
import org.azuremail.mail.Unavailable;
import org.azuremail.time.Time;
import org.azuremail.transport.smtp.SmtpConnections.Borrowed;
import org.jspecify.annotations.Nullable;

/** One lot on its way: mail after mail over one connection, or over the next when a proven one ends. */
final class SmtpHandOver {

    private static final Duration QUICK = Duration.ofSeconds(1);

    private final SmtpConnections connections;
    private final SmtpConnector connector;
    private final MailLot lot;
    private final Guard guard;
    private final MimeTemplate template;
    private final Time time;
    private final Instant date;
    private final List<Answer> answers;
    private @Nullable SmtpConnection connection;
    private Optional<Unavailable> unavailable = Optional.empty();
    private boolean stopped;

    SmtpHandOver(
            SmtpConnections connections,
            SmtpConnector connector,
            MailLot lot,
            Guard guard,
            MimeTemplate template,
            Time time) {
        this.connections = connections;
        this.connector = connector;
        this.lot = lot;
        this.guard = guard;
        this.template = template;
        this.time = time;
        this.date = time.instant();
        this.answers = new ArrayList<>(Collections.nCopies(lot.mails().size(), new Answer.Untaken()));
    }

    HandOver run() {
        try {
            for (int place = 0; place < answers.size() && unavailable.isEmpty() && !stopped; place++) {
                stopped = place > 0 && !guard.mayContinue();
                if (!stopped) {
                    next(place);
                }
            }
        } finally {
            if (connection != null) {
                connections.giveBack(connection);
            }
        }
        return new HandOver(answers, unavailable);
    }

    private void next(int place) {
        Mail mail = lot.mails().get(place);
        if (!ascii(mail.to().address().value())) {
            answers.set(place, new Answer.Refused("This address has letters outside ASCII, which SMTP cannot carry."));
            return;
        }
        if (connect()) {
            guard.begins(place);
            send(place, new ReadyMessage(template.merge(mail, date), from()), mail);
            guard.answered(place, answers.get(place));
        }
    }

    /** What took long makes the guard be asked again, before the first mail too. */
    private boolean connect() {
        Duration begun = time.elapsed();
        if (connection != null && !connection.alive()) {
            use(connections.reopen(connection));
        } else if (connection == null) {
            use(connections.borrow());
        }
        boolean slow = time.elapsed().minus(begun).compareTo(QUICK) > 0;
        stopped = stopped || (slow && !guard.mayContinue());
        return connection != null && !stopped;
    }

    private void use(Borrowed borrowed) {
        if (borrowed instanceof Borrowed.Ready ready) {
            connection = ready.connection();
        } else if (borrowed instanceof Borrowed.None none) {
            connection = null;
            unavailable = Optional.of(none.why());
        }
    }

    private void send(int place, ReadyMessage message, Mail mail) {
        SmtpConnection used = connection;
        if (used == null) {
            return;
        }
        SmtpVerdict verdict =
                SmtpVerdict.of(used.send(message, mail.to().address().value()));
        if (verdict instanceof SmtpVerdict.Answered answered) {
            answers.set(place, answered.answer());
        } else if (verdict instanceof SmtpVerdict.InDoubt doubt) {
            answers.set(place, doubt.answer());
            if (place + 1 < answers.size()) {
                unavailable = Optional.of(connector.wait(
                        "broke the connection off: " + doubt.answer().reason()));
            }
        } else if (verdict instanceof SmtpVerdict.Closed closed) {
            unavailable = Optional.of(
                    closed.kind() == Unavailable.Kind.PAUSE
                            ? connector.pause(closed.reason())
                            : connector.wait(closed.reason()));
        } else if (verdict instanceof SmtpVerdict.Reconnect lost) {
            again(place, message, mail, used, lost);
        }
    }

    /** Servers end a connection after so many mails or so much rest; one that never carried a mail tells more. */
    private void again(int place, ReadyMessage message, Mail mail, SmtpConnection lost, SmtpVerdict.Reconnect why) {
        if (!lost.proven()) {
            unavailable = Optional.of(connector.wait("takes nothing for now: " + why.reason()));
            return;
        }
        stopped = !guard.mayContinue();
        if (!stopped && connect()) {
            send(place, message, mail);
        }
    }

    private String from() {
        return lot.content().from().address().value();
    }

    private static boolean ascii(String text) {
        return text.chars().allMatch(c -> c < 128);
    }
}
