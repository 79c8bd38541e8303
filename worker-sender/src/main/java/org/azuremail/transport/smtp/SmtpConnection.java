package org.azuremail.transport.smtp;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.azuremail.transport.smtp.SmtpReply.Stage;
import org.jspecify.annotations.Nullable;

/**
 * One open connection, used by one thread at a time. An email is handed over in two steps, {@link #offer} and
 * {@link #send}, so that the caller can still give it up between them.
 *
 * <p>If the server takes several commands at once (RFC 2920), the envelope is sent in one piece, together with the end
 * of the email before it: one round trip for each email. A content is sent only after the answer to the email before
 * it, after its own {@code 354}, and while no bytes are waiting to be read. So a server that sends too many or too few
 * replies is detected before its replies can be assigned to the wrong email.
 */
final class SmtpConnection {

    private static final List<Stage> BEFORE_CONTENT = List.of(Stage.MAIL, Stage.RCPT, Stage.DATA);

    /** The size of the last piece, with the email's end. If an earlier piece cannot be written, nothing is taken. */
    private static final int LAST_PIECE = 32 * 1024;

    private final SmtpWire wire;
    private final SmtpCapabilities capabilities;
    private @Nullable Envelope ahead;
    private Stage stage = Stage.MAIL;
    private boolean proven;
    private boolean worked;
    private boolean relays;
    private boolean alive = true;
    private boolean outOfSync;

    SmtpConnection(SmtpWire wire, SmtpCapabilities capabilities) {
        this.wire = wire;
        this.capabilities = capabilities;
    }

    SmtpWire wire() {
        return wire;
    }

    boolean proven() {
        return proven;
    }

    /**
     * Returns whether the server accepted or refused a whole email and went on. If so and the connection breaks,
     * another one will probably work.
     */
    boolean worked() {
        return worked;
    }

    /**
     * Returns whether the server accepted a recipient in this conversation, which shows that it takes emails from this
     * client.
     */
    boolean relays() {
        return relays;
    }

    /** Returns whether it may carry any email, which is not the case after the envelope of one was sent ahead. */
    boolean alive() {
        return alive && ahead == null;
    }

    boolean isReadyFor(Envelope envelope) {
        return alive && (ahead == null || ahead.equals(envelope));
    }

    SmtpCapabilities server() {
        return capabilities;
    }

    /**
     * Sends the envelope, unless {@link #send} has done so.
     *
     * @return empty when the server waits for the content; otherwise the reason, and nothing is taken
     */
    Optional<SmtpReply> offer(Envelope envelope) {
        boolean sent = envelope.equals(ahead);
        ahead = null;
        Optional<SmtpReply> refused = sent ? replies() : unsolicited(Stage.MAIL).or(() -> offerNow(envelope));
        return refused.or(() -> unsolicited(Stage.DATA));
    }

    private Optional<SmtpReply> offerNow(Envelope envelope) {
        return capabilities.pipelining() ? write(BEFORE_CONTENT, envelope).or(this::replies) : stepByStep(envelope);
    }

    private Optional<SmtpReply> stepByStep(Envelope envelope) {
        for (Stage step : BEFORE_CONTENT) {
            Optional<SmtpReply> refused = write(List.of(step), envelope).or(() -> refusal(step));
            if (refused.isPresent()) {
                resetEnvelope(step, false);
                return refused;
            }
        }
        return Optional.empty();
    }

    private Optional<SmtpReply> write(List<Stage> steps, Envelope envelope) {
        stage = steps.get(0);
        try {
            steps.forEach(step -> wire.put(envelope.command(step)));
            wire.flush();
            return Optional.empty();
        } catch (IOException gone) {
            return Optional.of(broken(gone));
        }
    }

    /** Reads the replies to an envelope in one piece. Each command has a reply, even after a refused command. */
    private Optional<SmtpReply> replies() {
        Optional<SmtpReply> refused = Optional.empty();
        Optional<SmtpReply> last = Optional.empty();
        for (Stage step : BEFORE_CONTENT) {
            last = refusal(step);
            refused = refused.isPresent() ? refused : last;
            if (!alive) {
                // When replies are out of order, it is unknown which command was refused first.
                return outOfSync ? last : refused;
            }
        }
        boolean waits = last.isEmpty();
        refused.ifPresent(reply -> resetEnvelope(reply.stage(), waits));
        return refused;
    }

    /** Reads the answer to one command of an envelope; empty if the server accepts it. */
    private Optional<SmtpReply> refusal(Stage step) {
        stage = step;
        try {
            ServerReply reply = wire.read();
            boolean yes = step == Stage.DATA ? reply.code() == 354 : reply.isPositive();
            relays |= yes && step == Stage.RCPT;
            return yes ? Optional.empty() : Optional.of(refusalOf(reply));
        } catch (IOException gone) {
            return Optional.of(broken(gone));
        }
    }

    /**
     * Makes the server discard an envelope that it refused in part.
     *
     * @param waits whether the server still waits for a content. If no recipient was accepted, the final dot alone
     *     is the answer (RFC 2920, 3.1); otherwise the dot would send an empty email
     */
    private void resetEnvelope(Stage refused, boolean waits) {
        if (waits && refused != Stage.RCPT) {
            alive = false;
        }
        if (!alive || refused == Stage.MAIL) {
            return;
        }
        try {
            if (waits) {
                wire.putDot();
            }
            wire.put("RSET");
            wire.flush();
            alive = !waits || wire.readWithShortTimeout().code() != SmtpReply.CLOSING;
            alive = alive && wire.readWithShortTimeout().isPositive();
        } catch (IOException gone) {
            alive = false;
        }
    }

    /**
     * Sends the content, after {@link #offer}.
     *
     * @param next the envelope that may be sent along; null when there is none, or when the server wants each
     *     command alone
     */
    SmtpReply send(byte[] mail, @Nullable Envelope next) {
        stage = Stage.DATA;
        try {
            wire.putMail(mail);
            if (wire.waiting() > LAST_PIECE) {
                wire.flush(LAST_PIECE);
            }
            stage = Stage.END;
            wire.putDot();
            if (next != null) {
                BEFORE_CONTENT.forEach(step -> wire.put(next.command(step)));
                ahead = next;
            }
            wire.flush();
            return verdict(wire.readEnd());
        } catch (IOException gone) {
            return broken(gone);
        }
    }

    private SmtpReply verdict(ServerReply reply) throws IOException {
        if (!SmtpReply.takes(reply.code())) {
            SmtpReply refusal = refusalOf(reply);
            worked |= alive;
            return refusal;
        }
        proven = true;
        worked = true;
        return SmtpReply.of(Stage.END, reply);
    }

    private SmtpReply refusalOf(ServerReply reply) throws IOException {
        if (!reply.refuses()) {
            throw new SmtpProtocolException(SmtpReason.SMTP_OTHER_ANSWER, reply.text());
        }
        alive = alive && reply.code() != SmtpReply.CLOSING;
        return SmtpReply.of(stage, reply);
    }

    /**
     * Checks for an unsolicited reply: the server is closing the connection, or later replies could not be matched to
     * their commands.
     */
    private Optional<SmtpReply> unsolicited(Stage at) {
        if (wire.quiet()) {
            return Optional.empty();
        }
        stage = at;
        try {
            ServerReply reply = wire.read();
            alive = false;
            return Optional.of(SmtpReply.unsolicited(at, reply));
        } catch (IOException gone) {
            return Optional.of(broken(gone));
        }
    }

    private SmtpReply broken(IOException gone) {
        alive = false;
        outOfSync = gone instanceof SmtpProtocolException;
        return SmtpReply.broken(stage, gone);
    }

    /** Returns whether the server answers; costs one round trip. */
    boolean answers() {
        try {
            alive = alive && wire.quiet() && wire.askWithShortTimeout("NOOP").isPositive();
        } catch (IOException gone) {
            alive = false;
        }
        return alive;
    }

    /** Gives up an email that waits for its content, which is not taken without its end. */
    void abandon() {
        alive = false;
    }

    /** Sends QUIT if that is possible, and does not wait for an answer. */
    void quit() {
        if (alive()) {
            try {
                wire.put("QUIT");
                wire.flush();
            } catch (IOException alreadyGone) {
                // Nothing is lost, because every email had its answer.
            }
        }
        wire.hangUp();
    }
}
