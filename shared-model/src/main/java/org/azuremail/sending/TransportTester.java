package org.azuremail.sending;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.azuremail.app.Daemons;
import org.azuremail.content.Template;
import org.azuremail.id.IdSource;
import org.azuremail.mail.Answer;
import org.azuremail.mail.Conversation;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailProperties.Configured;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.Mailbox;
import org.azuremail.reason.Reason;
import org.azuremail.time.Time;

/**
 * Sends one email by a transport while an admin waits, and records the conversation. Ends within a minute, whatever the
 * server does; an unfinished conversation is left to the transport's time-outs. At most four tests run at a time.
 */
public final class TransportTester implements AutoCloseable {

    private static final Duration MAX_DURATION = Duration.ofSeconds(45);
    private static final Duration BACKSTOP = Duration.ofSeconds(15);
    private static final int AT_A_TIME = 4;

    private final TransportOpener opener;
    private final IdSource ids;
    private final Time time;
    private final Semaphore places = new Semaphore(AT_A_TIME);
    private final ExecutorService threads = Executors.newCachedThreadPool(Daemons.named("transport-test"));

    TransportTester(TransportOpener opener, IdSource ids, Time time) {
        this.opener = opener;
        this.ids = ids;
        this.time = time;
    }

    public enum Verdict {
        ACCEPTED,
        REFUSED,
        UNAVAILABLE,
        /** The transport may have taken the email. */
        UNKNOWN,
        TOO_SLOW,
        /** The transport's secret was stored under another key. */
        SECRET_UNREADABLE,
        BUSY
    }

    /** @param reason in the server's words; none if the server sent none */
    public record Result(Verdict verdict, Reason reason, List<Conversation.Line> lines) {}

    public record TestEmail(Mailbox from, Mailbox to, String subject, String text) {}

    /** @param stored the same transport as it is stored, if it was added on the page */
    public Result run(Configured transport, Optional<StoredTransport> stored, TestEmail email) {
        if (!places.tryAcquire()) {
            return new Result(Verdict.BUSY, Reason.NONE, List.of());
        }
        Conversation conversation = new Conversation();
        Future<Result> running = threads.submit(() -> {
            try {
                return send(transport, stored, email, conversation);
            } finally {
                places.release();
            }
        });
        return await(running, conversation);
    }

    private Result await(Future<Result> running, Conversation conversation) {
        try {
            return running.get(MAX_DURATION.plus(BACKSTOP).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException tooSlow) {
            running.cancel(true);
            return new Result(Verdict.TOO_SLOW, Reason.NONE, conversation.lines());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            running.cancel(true);
            return new Result(Verdict.TOO_SLOW, Reason.NONE, conversation.lines());
        } catch (ExecutionException failed) {
            Verdict verdict = failed.getCause() instanceof TransportOpener.SecretUnreadable
                    ? Verdict.SECRET_UNREADABLE
                    : Verdict.UNKNOWN;
            return new Result(verdict, Reason.NONE, conversation.lines());
        }
    }

    private Result send(
            Configured configured, Optional<StoredTransport> stored, TestEmail email, Conversation conversation)
            throws Exception {
        MailTransport transport = opener.openForTest(configured, stored, conversation);
        try {
            Duration end = time.elapsed().plus(MAX_DURATION);
            HandOverResult result =
                    transport.handOver(lot(email), () -> time.elapsed().compareTo(end) < 0);
            return result(result, conversation);
        } finally {
            if (transport instanceof AutoCloseable open) {
                open.close();
            }
        }
    }

    private MailLot lot(TestEmail email) {
        String id = "transport-test." + ids.token();
        MailContent content = new MailContent(
                id,
                email.from(),
                null,
                Template.literal(email.subject()),
                Template.literal("<p>" + email.text() + "</p>"),
                Template.literal(email.text()),
                List.of());
        String messageId = id + "@" + email.from().address().domain();
        return new MailLot(content, List.of(new Mail(email.to(), messageId, Map.of())));
    }

    private static Result result(HandOverResult handOver, Conversation conversation) {
        List<Conversation.Line> lines = conversation.lines();
        if (handOver.unavailable().isPresent()) {
            return new Result(Verdict.UNAVAILABLE, handOver.unavailable().get().reason(), lines);
        }
        Answer answer = handOver.answers().get(0);
        if (answer instanceof Answer.Accepted) {
            return new Result(Verdict.ACCEPTED, Reason.NONE, lines);
        }
        if (answer instanceof Answer.Refused refused) {
            return new Result(Verdict.REFUSED, refused.reason(), lines);
        }
        if (answer instanceof Answer.RetryAfter later) {
            return new Result(Verdict.UNAVAILABLE, later.reason(), lines);
        }
        return answer instanceof Answer.Unknown unknown
                ? new Result(Verdict.UNKNOWN, unknown.reason(), lines)
                : new Result(Verdict.TOO_SLOW, Reason.NONE, lines);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
