package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.content.Escaping;
import org.azuremail.content.Template;
import org.azuremail.delivery.testmail.ForwardedReplies;
import org.azuremail.delivery.testmail.ForwardedReply;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailContent.MailHeader;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.Mailbox;
import org.azuremail.reason.Reason;
import org.azuremail.route.Attempt;
import org.azuremail.storage.Versioned;
import org.azuremail.work.service.WorkResult;
import org.jspecify.annotations.Nullable;

/**
 * Forwards replies to the person responsible for a list. An accepted reply is noted and not sent again. If the process
 * dies before it notes the reply, or the answer is lost, a second copy leaves with the same Message-ID, and mail
 * programs show only one. When the answer to that is lost as well, no third copy follows.
 */
record ReplyForwarder(
        SenderContext context, ListStore lists, ForwardedReplies forwarded, AzureMailProperties settings) {

    private static final Duration IN_DOUBT_DELAY = Duration.ofMinutes(1);

    /** Mail servers give up after four or five days, too (RFC 5321 §4.5.4.1). */
    private static final Duration GIVEN_UP_AFTER = Duration.ofDays(5);

    WorkResult forward(ForwardedReply reply) {
        Optional<MailingList> list = lists.find(new ListName(reply.list())).map(Versioned::value);
        Optional<EmailAddress> to = EmailAddress.stored(reply.to());
        Optional<EmailAddress> from = EmailAddress.stored(reply.from());
        if (list.isEmpty() || to.isEmpty()) {
            return new WorkResult.Discard("no list or no address for a reply");
        }
        if (forwarded.wasForwarded(reply.watcher(), reply.key())) {
            return WorkResult.DONE;
        }
        HandOverResult result = context.routes()
                .handOver(
                        context.preferredTransports().of(list.get().name()),
                        new Attempt("reply." + reply.key(), context.time(), () -> true),
                        () -> lot(reply, list.get(), to.get(), from.orElse(null)));
        return result.unavailable().isPresent()
                ? new WorkResult.RetryAfter(result.unavailable().get().retryAfter())
                : settle(reply, result.answers().get(0));
    }

    private WorkResult settle(ForwardedReply reply, Answer answer) {
        Instant now = context.time().instant();
        if (answer instanceof Answer.Accepted) {
            forwarded.note(reply.watcher(), reply.key(), now);
            return WorkResult.DONE;
        }
        if (answer instanceof Answer.Refused refused) {
            return discard(refused.reason());
        }
        if (answer instanceof Answer.RetryAfter retry) {
            Duration waited = Duration.between(forwarded.noteDeferral(reply.watcher(), reply.key(), now), now);
            return waited.compareTo(GIVEN_UP_AFTER) > 0
                    ? discard(retry.reason())
                    : new WorkResult.RetryAfter(retry.delayAfter(waited));
        }
        if (answer instanceof Answer.Unknown && !forwarded.noteDoubt(reply.watcher(), reply.key(), now)) {
            forwarded.note(reply.watcher(), reply.key(), now);
            return new WorkResult.Discard("the answer to a forwarded reply was lost twice");
        }
        return new WorkResult.RetryAfter(IN_DOUBT_DELAY);
    }

    private static WorkResult discard(Reason reason) {
        return new WorkResult.Discard("a reply could not be forwarded: " + reason.code());
    }

    /**
     * The email comes from the list's own address, because no other may be used; an answer to it reaches the sender of
     * the reply. The text has no merge fields, because an outsider wrote it.
     */
    private MailLot lot(ForwardedReply reply, MailingList list, EmailAddress to, @Nullable EmailAddress from) {
        String name = reply.fromName().isBlank() ? reply.from() : reply.fromName();
        String html = "<!DOCTYPE html><html><body><pre style=\"white-space:pre-wrap;font-family:inherit\">"
                + Escaping.HTML.apply(reply.text()) + "</pre></body></html>";
        String forwarders = Stream.concat(
                        reply.forwarders().stream(),
                        Stream.of(String.valueOf(settings.publicUrl().getRawAuthority())))
                .collect(Collectors.joining(", "));
        MailContent content = new MailContent(
                "reply-" + reply.key(),
                new Mailbox(list.from().address(), name),
                from == null ? null : new Mailbox(from, reply.fromName()),
                Template.literal(reply.subject()),
                Template.literal(html),
                Template.literal(reply.text()),
                List.of(new MailHeader(ForwardedReply.LOOP, Template.literal(forwarders))));
        String id = "reply." + reply.key() + "@" + list.from().address().domain();
        return new MailLot(content, List.of(new Mail(new Mailbox(to, ""), id, Map.of())));
    }
}
