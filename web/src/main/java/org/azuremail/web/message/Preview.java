package org.azuremail.web.message;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.content.ContentWarning;
import org.azuremail.content.Layout;
import org.azuremail.content.Layout.Source;
import org.azuremail.content.MessageBodies.Checked;
import org.azuremail.content.MessageBodies.Problem;
import org.azuremail.content.Template;
import org.azuremail.delivery.testmail.TestMail;
import org.azuremail.delivery.testmail.TestMails;
import org.azuremail.delivery.testmail.TestMails.Result;
import org.azuremail.delivery.testmail.TestMails.State;
import org.azuremail.field.FieldStore;
import org.azuremail.id.IdSource;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.listmail.ListIdentity;
import org.azuremail.listmail.ListMail;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MergedMail;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs.Bodies;
import org.azuremail.message.Messages;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.route.Attempt;
import org.azuremail.route.Routes;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.store.SubscriberFilter;
import org.azuremail.subscription.store.SubscriberPages;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.template.Templates;
import org.azuremail.time.Time;
import org.azuremail.work.queue.WorkQueues;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;
import org.springframework.ui.Model;

/** Shows a message as one person reads it, and sends test emails to one address. */
@Component
public record Preview(
        Messages messages,
        ListStore lists,
        FieldStore fields,
        SubscriptionStore subscribers,
        Templates templates,
        SubscriberPages pages,
        AzureMailProperties settings,
        ObjectProvider<Routes> transports,
        WorkQueues work,
        TestMails tests,
        IdSource ids,
        Time time) {

    private static final Result DIED = new Result(State.UNKNOWN, Reason.of(ReasonCode.TEST_IN_DOUBT));

    /** The fields that have a value for everybody on a list, or are empty for everybody. */
    private static final Set<String> ALWAYS_KNOWN =
            Set.of("email", "list", "list-address", "unsubscribe", "preferences");

    private static final EmailAddress SOMEBODY = new EmailAddress("alex@example.org");

    /**
     * Returns the email; empty if its list or its bodies were deleted.
     *
     * @param known whether to use made-up values; otherwise, the fallbacks for empty fields appear
     */
    public Optional<MergedMail> mail(Message message, boolean known) {
        return mail(message, known ? Reader.MADE_UP : Reader.WITHOUT_VALUES);
    }

    /** Returns the email as a reader sees it. Made-up values replace a subscriber whom the list does not have. */
    Optional<MergedMail> mail(Message message, Reader reader) {
        return lot(message, (list, key) -> mail(list, reader, key)).map(Preview::merged);
    }

    /** Returns the email of a text that is being written. Nothing is stored. */
    MergedMail mail(MailingList list, Checked.Valid typed, Reader reader) {
        Bodies bodies = new Bodies(typed.html(), typed.text());
        return merged(lot("typed", list, typed.subject(), bodies, (unused, key) -> mail(list, reader, key)));
    }

    /**
     * Returns the subscriber whose values a message to a list shows: the one with this address, or the first whose
     * address begins with the text. Empty for made-up values.
     */
    Optional<Subscriber> subscriber(MailingList list, Reader reader) {
        if (!reader.ofSubscriber()) {
            return Optional.empty();
        }
        return EmailAddress.parse(reader.address())
                .flatMap(address -> subscribers.find(list, address))
                .map(Versioned::value)
                .or(() -> pages.page(list, new SubscriberFilter(reader.address(), Set.of()), null, 1).items().stream()
                        .findFirst());
    }

    public MergedMail madeUp(MailingList list, Checked.Valid typed) {
        return mail(list, typed, Reader.MADE_UP);
    }

    /** Returns the text that inboxes show after the subject; empty if the message has none. */
    String previewText(Message message) {
        return messages.source(message).map(source -> source.layout().preview()).orElse("");
    }

    /** Returns the merge fields of a stored message that show nothing to people without a value. */
    Set<String> fieldsWithoutFallback(Message message) {
        Set<String> fields = new TreeSet<>();
        messages.bodies(message).ifPresent(bodies -> Stream.of(
                        Template.parse(message.subject()),
                        Template.parseHtml(bodies.html()),
                        Template.parse(bodies.text()))
                .forEach(template -> fields.addAll(template.fieldsWithoutFallback())));
        fields.removeAll(ALWAYS_KNOWN);
        return fields;
    }

    /**
     * Returns what the author of a stored message should check before sending it.
     *
     * @param mail the message as one person gets it
     */
    List<Reason> warnings(Message message, MergedMail mail) {
        Optional<Source> source = messages.source(message);
        boolean markdown = source.filter(Source::markdown).isPresent();
        Layout layout = source.map(Source::layout).orElse(Layout.NONE);
        return messages.bodies(message)
                .map(bodies -> warnings(message.subject(), layout, bodies.html(), markdown, mail))
                .orElse(List.of());
    }

    private static List<Reason> warnings(
            String subject, Layout layout, String html, boolean markdown, MergedMail mail) {
        List<Reason> found = new ArrayList<>(ContentWarning.ofSubject(subject));
        if (!layout.template().isEmpty() && layout.preview().isEmpty()) {
            found.add(Reason.of(ContentWarning.PREVIEW_TEXT_MISSING));
        }
        found.addAll(ContentWarning.of(html, markdown));
        ContentWarning.ofSize(mail.html().getBytes(StandardCharsets.UTF_8).length)
                .ifPresent(found::add);
        return found;
    }

    /**
     * Adds everything that an author should correct or check to the model.
     *
     * @param htmlShown see {@link MessageForm#leftOut}
     * @return the email as the reader sees it; empty if it cannot be composed
     */
    Optional<MergedMail> check(
            Audience audience,
            MailingList list,
            MessageForm form,
            Reader reader,
            @Nullable String htmlShown,
            Model model) {
        model.addAttribute(
                "toCorrect",
                messages.problems(audience, form.draft()).stream()
                        .map(Problem::message)
                        .toList());
        model.addAttribute("leftOut", form.leftOut(htmlShown));
        if (!(messages.compose(list, form.draft()) instanceof Checked.Valid valid)) {
            return Optional.empty();
        }
        MergedMail mail = mail(list, valid, reader);
        boolean markdown = form.markdownWritten() != null;
        model.addAttribute("warnings", warnings(valid.subject(), form.layout(), valid.html(), markdown, mail));
        return Optional.of(mail);
    }

    void show(@Nullable Message message, Reader reader, Model model) {
        model.addAttribute("reader", reader);
        if (message != null) {
            model.addAttribute("mail", mail(message, reader).orElse(null));
            lists.find(message.list()).ifPresent(list -> addReader(list.value(), reader, model));
        }
    }

    /** Adds the sender of a message and the subscriber whose values it shows to the model. */
    void addReader(MailingList list, Reader reader, Model model) {
        model.addAttribute("from", list.from());
        model.addAttribute("shownAs", subscriber(list, reader).orElse(null));
    }

    private static MergedMail merged(MailLot lot) {
        return MergedMail.of(lot.content(), lot.mails().get(0));
    }

    private Mail mail(MailingList list, Reader reader, String key) {
        ListIdentity identity = ListIdentity.of(list);
        if (reader.nothingKnown()) {
            return ListMail.sampleWithoutValues(identity, settings.publicUrl(), key, SOMEBODY);
        }
        if (reader.longValues()) {
            return ListMail.sampleWithLongValues(identity, settings.publicUrl(), key, SOMEBODY, list.attributes());
        }
        return subscriber(list, reader)
                .map(one -> ListMail.mail(
                        identity,
                        settings.publicUrl(),
                        key,
                        one.address(),
                        one.profile().name(),
                        SubscriberGuid.NOBODY,
                        fields.of(list).shown(one.profile().attributes(), Locale.forLanguageTag(list.language()))))
                .orElseGet(() -> ListMail.sample(identity, settings.publicUrl(), key, SOMEBODY, list.attributes()));
    }

    /**
     * Requests a test email. A process that sends emails sends it at once; any other leaves it to one that does, and
     * the result appears in {@link TestMails}.
     *
     * @param id the id of the test; a known id is not sent again
     * @return empty if the list or the text of the message was deleted
     */
    public Optional<TestMails.TestMailRecord> sendTest(Message message, EmailAddress to, String id) {
        Optional<MailLot> made = lot(
                message,
                (list, key) ->
                        ListMail.sample(ListIdentity.of(list), settings.publicUrl(), key, to, list.attributes()));
        return made.map(lot -> {
            Optional<TestMails.TestMailRecord> before = tests.find(message.ref(), id);
            TestMails.TestMailRecord test = before.orElseGet(() -> tests.ask(message.ref(), id, to));
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
        Attempt attempt = new Attempt("test." + ids.token(), time, () -> true);
        MailLot test = new MailLot(ListMail.test(lot.content()), lot.mails());
        HandOverResult handOver = routes.handOver(first, attempt, () -> test);
        return handOver.unavailable()
                .map(why -> new Result(State.REFUSED, why.reason()))
                .orElseGet(() -> Result.of(handOver.answers().get(0)));
    }

    /** Returns the lot of one email; empty if the list or the bodies of the message were deleted. */
    private Optional<MailLot> lot(Message message, BiFunction<MailingList, String, Mail> mail) {
        String key = "test-" + message.ref() + "-" + message.content().revision();
        return lists.findValue(message.list()).flatMap(list -> messages.bodies(message)
                .map(bodies -> lot(key, list, message.subject(), bodies, mail)));
    }

    private MailLot lot(
            String key, MailingList list, String subject, Bodies bodies, BiFunction<MailingList, String, Mail> mail) {
        MailContent content = ListMail.content(
                key,
                ListIdentity.of(list),
                subject,
                bodies.html(),
                bodies.text(),
                settings.publicUrl(),
                templates.of(list.name()));
        return new MailLot(content, List.of(mail.apply(list, key + "-" + ids.token())));
    }
}
