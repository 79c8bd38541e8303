package org.azuremail.web.message;

import java.util.List;
import java.util.Optional;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.delivery.TestMail;
import org.azuremail.id.IdSource;
import org.azuremail.limit.Wait;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.listmail.ListIdentity;
import org.azuremail.listmail.ListMail;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.HandOver;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.MergedMail;
import org.azuremail.mail.Unavailable;
import org.azuremail.message.Message;
import org.azuremail.message.Messages;
import org.azuremail.route.Attempt;
import org.azuremail.route.Routes;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.work.WorkQueues;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/** A message with made-up values in its merge fields: shown, or handed over to one address. */
@Component
class Preview {

    private static final EmailAddress SOMEBODY = new EmailAddress("alex@example.org");

    private final Messages messages;
    private final ListStore lists;
    private final AzureMailProperties settings;
    private final ObjectProvider<Routes> transports;
    private final WorkQueues work;
    private final IdSource ids;
    private final Time time;

    Preview(
            Messages messages,
            ListStore lists,
            AzureMailProperties settings,
            ObjectProvider<Routes> transports,
            WorkQueues work,
            IdSource ids,
            Time time) {
        this.messages = messages;
        this.lists = lists;
        this.settings = settings;
        this.transports = transports;
        this.work = work;
        this.ids = ids;
        this.time = time;
    }

    /**
     * The mail; empty when its list or its bodies are gone.
     *
     * @param known whether to make up values, or to show what stands in for empty fields
     */
    Optional<MergedMail> mail(Message message, boolean known) {
        return lot(message, SOMEBODY, known)
                .map(lot -> MergedMail.of(lot.content(), lot.mails().get(0)));
    }

    /**
     * Sends a test mail; what went wrong, if anything. A process that sends no mail itself leaves it to one that does, and
     * then nobody here knows what comes of it.
     */
    Optional<String> sendTest(Message message, EmailAddress to) {
        Routes routes = transports.getIfAvailable();
        Optional<MailLot> lot = lot(message, to, true);
        if (lot.isEmpty()) {
            return Optional.of("The list or the text of this message is gone, so there is nothing to send.");
        }
        if (routes == null) {
            work.put(new TestMail(message.ref().value(), to.value()));
            return Optional.empty();
        }
        String first =
                lists.find(message.list()).map(list -> list.value().transport()).orElse(null);
        return send(routes, first, lot.get());
    }

    private Optional<String> send(Routes routes, @Nullable String first, MailLot lot) {
        Attempt attempt = new Attempt("test." + ids.token(), time);
        Routes.Single single = routes.pickForOne(first, attempt);
        if (single.pick() instanceof Routes.Pick.None none) {
            return Optional.of(none.why().reason());
        }
        Routes.Pick.Taken by = (Routes.Pick.Taken) single.pick();
        Wait wait = single.limit();
        return wait.isZero()
                ? problem(routes.handOver(by, first, attempt, lot, () -> true))
                : Optional.of("The mail cannot leave now: " + wait.reason() + ".");
    }

    private static Optional<String> problem(HandOver handOver) {
        if (handOver.unavailable().isPresent()) {
            return handOver.unavailable().map(Unavailable::reason);
        }
        Answer answer = handOver.answers().get(0);
        if (answer instanceof Answer.Refused refused) {
            return Optional.of("The mail was refused: " + refused.reason());
        }
        if (answer instanceof Answer.RetryAfter later) {
            return Optional.of("The mail was not taken for now: " + later.reason());
        }
        return answer instanceof Answer.Unknown unknown
                ? Optional.of("Nobody knows whether the mail was taken: " + unknown.reason())
                : Optional.empty();
    }

    private Optional<MailLot> lot(Message message, EmailAddress to, boolean known) {
        Optional<MailingList> list = lists.find(message.list()).map(Versioned::value);
        return list.flatMap(found -> messages.bodies(message).map(bodies -> {
            ListIdentity identity = identity(found);
            String key = "test-" + message.ref() + "-" + message.revision();
            MailContent content = ListMail.content(
                    key, identity, message.subject(), bodies.html(), bodies.text(), settings.publicUrl());
            String mailKey = key + "-" + ids.token();
            Mail mail = known
                    ? ListMail.sample(identity, settings.publicUrl(), mailKey, to, found.attributes())
                    : ListMail.bare(identity, settings.publicUrl(), mailKey, to);
            return new MailLot(content, List.of(mail));
        }));
    }

    private static ListIdentity identity(MailingList list) {
        Mailbox replyTo = list.replyTo() == null ? null : new Mailbox(list.replyTo(), "");
        return new ListIdentity(list.name(), list.description(), list.from(), replyTo, list.language());
    }
}
