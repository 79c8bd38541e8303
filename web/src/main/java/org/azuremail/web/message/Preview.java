package org.azuremail.web.message;

import java.util.List;
import java.util.Optional;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.delivery.TestMail;
import org.azuremail.delivery.TestMails;
import org.azuremail.delivery.TestMails.Result;
import org.azuremail.delivery.TestMails.State;
import org.azuremail.id.IdSource;
import org.azuremail.limit.Wait;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.listmail.ListIdentity;
import org.azuremail.listmail.ListMail;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.MergedMail;
import org.azuremail.message.Message;
import org.azuremail.message.Messages;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.route.Attempt;
import org.azuremail.route.Routes;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.work.queue.WorkQueues;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/** A message with made-up values in its merge fields: shown, or handed over to one address. */
@Component
public class Preview {

    private static final Result DIED = new Result(State.UNKNOWN, Reason.of(ReasonCode.TEST_IN_DOUBT));

    private static final EmailAddress SOMEBODY = new EmailAddress("alex@example.org");

    private final Messages messages;
    private final ListStore lists;
    private final AzureMailProperties settings;
    private final ObjectProvider<Routes> transports;
    private final WorkQueues work;
    private final TestMails tests;
    private final IdSource ids;
    private final Time time;

    Preview(
            Messages messages,
            ListStore lists,
            AzureMailProperties settings,
            ObjectProvider<Routes> transports,
            WorkQueues work,
            TestMails tests,
            IdSource ids,
            Time time) {
        this.messages = messages;
        this.lists = lists;
        this.settings = settings;
        this.transports = transports;
        this.work = work;
        this.tests = tests;
        this.ids = ids;
        this.time = time;
    }

    /**
     * The mail; empty when its list or its bodies are gone.
     *
     * @param known whether to make up values, or to show what stands in for empty fields
     */
    public Optional<MergedMail> mail(Message message, boolean known) {
        return lot(message, SOMEBODY, known)
                .map(lot -> MergedMail.of(lot.content(), lot.mails().get(0)));
    }

    /**
     * Asks for a test mail. A process that sends itself hands it over at once; another leaves it to one that does, and the
     * result stands in {@link TestMails} when it is known.
     *
     * @param id names it; nothing is sent a second time under one that is known
     * @return empty when the list or the text of the message is gone
     */
    public Optional<TestMails.Test> sendTest(Message message, EmailAddress to, String id) {
        return lot(message, to, true).map(lot -> {
            Optional<TestMails.Test> before = tests.find(message.ref(), id);
            TestMails.Test test = before.orElseGet(() -> tests.ask(message.ref(), id, to));
            Routes routes = transports.getIfAvailable();
            if (test.result().state() != State.QUEUED) {
                return test;
            }
            if (routes == null) {
                work.put(new TestMail(message.ref().value(), to.value(), id));
                return test;
            }
            Result result = before.isPresent() ? DIED : send(message, lot, routes);
            tests.note(message.ref(), id, result);
            return tests.find(message.ref(), id).orElse(test);
        });
    }

    private Result send(Message message, MailLot lot, Routes routes) {
        String first =
                lists.find(message.list()).map(list -> list.value().transport()).orElse(null);
        Attempt attempt = new Attempt("test." + ids.token(), time);
        Routes.Single single = routes.pickForOne(first, attempt);
        if (single.pick() instanceof Routes.Pick.None none) {
            return new Result(State.REFUSED, none.why().reason());
        }
        Routes.Pick.Taken by = (Routes.Pick.Taken) single.pick();
        Wait wait = single.limit();
        return wait.isZero()
                ? Result.of(routes.handOver(by, first, attempt, lot, () -> true))
                : new Result(State.REFUSED, wait.reason());
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
