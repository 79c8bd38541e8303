package org.azuremail.sender;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.content.Escaping;
import org.azuremail.content.Template;
import org.azuremail.delivery.testmail.ForwardedReplies;
import org.azuremail.delivery.testmail.ForwardedReply;
import org.azuremail.limit.Wait;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.HandOver;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailHeader;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.Mailbox;
import org.azuremail.route.Attempt;
import org.azuremail.route.ListRoutes;
import org.azuremail.route.Routes;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.work.service.WorkResult;
import org.jspecify.annotations.Nullable;

/**
 * Forwards replies to whoever answers for a list. A reply that was accepted is noted and not sent again; a process that dies
 * between the two, or an answer that nobody heard, leads to a second copy with the same Message-ID, of which mail programs show
 * one.
 */
record ReplyForwarder(
        ListStore lists, Routes routes, ListRoutes first, ForwardedReplies forwarded, URI publicUrl, Time time) {

    private static final Duration LATER = Duration.ofMinutes(1);

    WorkResult forward(ForwardedReply reply) {
        Optional<MailingList> list = lists.find(new ListName(reply.list())).map(Versioned::value);
        Optional<EmailAddress> to = EmailAddress.stored(reply.to());
        Optional<EmailAddress> from = EmailAddress.stored(reply.from());
        if (list.isEmpty() || to.isEmpty()) {
            return new WorkResult.Discard("no list or no address for a reply");
        }
        if (forwarded.known(reply.watcher(), reply.key())) {
            return WorkResult.DONE;
        }
        Attempt attempt = new Attempt("reply." + reply.key(), time);
        String preferred = first.first(list.get().name());
        Routes.Single single = routes.pickForOne(preferred, attempt);
        if (single.pick() instanceof Routes.Pick.None none) {
            return new WorkResult.RetryAfter(none.why().retryAfter());
        }
        Wait wait = single.limit();
        if (!wait.isZero()) {
            return new WorkResult.RetryAfter(wait.duration());
        }
        MailLot lot = lot(reply, list.get(), to.get(), from.orElse(null));
        HandOver said = routes.handOver((Routes.Pick.Taken) single.pick(), preferred, attempt, lot, () -> true);
        return said.unavailable().isPresent()
                ? new WorkResult.RetryAfter(said.unavailable().get().retryAfter())
                : settle(reply, said.answers().get(0));
    }

    private WorkResult settle(ForwardedReply reply, Answer answer) {
        if (answer instanceof Answer.Accepted) {
            forwarded.note(reply.watcher(), reply.key(), time.instant());
            return WorkResult.DONE;
        }
        if (answer instanceof Answer.Refused refused) {
            return new WorkResult.Discard(
                    "a reply could not be forwarded: " + refused.reason().code());
        }
        return new WorkResult.RetryAfter(answer instanceof Answer.RetryAfter retry ? retry.delay() : LATER);
    }

    /**
     * From the list, which alone may write as itself; an answer goes to the sender. Without fields: it is somebody else's text.
     */
    private MailLot lot(ForwardedReply reply, MailingList list, EmailAddress to, @Nullable EmailAddress from) {
        String name = reply.fromName().isBlank() ? reply.from() : reply.fromName();
        String html = "<!DOCTYPE html><html><body><pre style=\"white-space:pre-wrap;font-family:inherit\">"
                + Escaping.HTML.apply(reply.text()) + "</pre></body></html>";
        String forwarders = Stream.concat(
                        reply.forwarders().stream(), Stream.of(String.valueOf(publicUrl.getRawAuthority())))
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
