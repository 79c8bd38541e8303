package org.azuremail.web.api;

import java.net.URI;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.MailProperties;
import org.azuremail.mail.Mailbox;
import org.azuremail.subscription.ListDeletion;
import org.azuremail.subscription.SubscriberCounts;
import org.azuremail.subscription.SubscriptionStore;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Mailing lists. */
@RestController
@RequestMapping("/api/v1/lists")
class ListApi {

    private final ListStore lists;
    private final SubscriptionStore subscribers;
    private final ListDeletion deletion;
    private final MailProperties mail;
    private final Time time;

    ListApi(ListStore lists, SubscriptionStore subscribers, ListDeletion deletion, MailProperties mail, Time time) {
        this.mail = mail;
        this.lists = lists;
        this.subscribers = subscribers;
        this.deletion = deletion;
        this.time = time;
    }

    /** A list that is to be made. */
    record NewList(
            @Nullable String name,
            @Nullable String description,
            @Nullable String fromEmail,
            @Nullable String fromName,
            @Nullable String replyTo,
            @Nullable String transport,
            @Nullable String optIn) {}

    /**
     * A list.
     *
     * @param counts subscribers by state; {@code null} where lists are enumerated
     */
    record ListBody(
            String name,
            String description,
            String fromEmail,
            String fromName,
            @Nullable String replyTo,
            @Nullable String transport,
            String optIn,
            Set<String> attributes,
            Instant createdAt,
            boolean deleting,
            @Nullable Map<String, Long> counts) {}

    @GetMapping
    Items<ListBody> all() {
        return new Items<>(lists.all().stream().map(list -> body(list, null)).toList(), null);
    }

    @PostMapping
    ResponseEntity<ListBody> create(@RequestBody NewList wanted) {
        MailingList list = read(wanted);
        if (lists.create(list) instanceof ListStore.Creation.NameTaken) {
            throw RefusedCall.conflict("A list named " + list.name() + " exists already.");
        }
        return ResponseEntity.created(URI.create("/api/v1/lists/" + list.name()))
                .body(body(list, SubscriberCounts.NONE));
    }

    @GetMapping("/{list}")
    ListBody one(@PathVariable String list) {
        MailingList found = Lists.require(lists, list);
        return body(found, subscribers.counts(found));
    }

    @DeleteMapping("/{list}")
    @ResponseStatus(HttpStatus.ACCEPTED)
    void delete(@PathVariable String list) {
        deletion.begin(Lists.require(lists, list).name());
    }

    private MailingList read(NewList wanted) {
        Fields fields = new Fields();
        Optional<ListName> name = fields.required("name", wanted.name(), ListName::parse, ListName.RULE);
        Optional<EmailAddress> from = fields.requiredAddress("fromEmail", wanted.fromEmail());
        String fromName = fields.line("fromName", wanted.fromName());
        String description = fields.line("description", wanted.description());
        Optional<EmailAddress> replyTo =
                fields.optional("replyTo", wanted.replyTo(), EmailAddress::parse, Fields.NOT_AN_ADDRESS);
        Optional<String> transport = fields.optional(
                "transport",
                wanted.transport(),
                this::transport,
                "There is no such transport in the settings, only " + String.join(", ", mail.names()) + ".");
        Optional<OptIn> optIn = fields.optional("optIn", wanted.optIn(), OptIn::parse, "Say double or single.");
        fields.check();
        return MailingList.of(
                        name.orElseThrow(),
                        description,
                        new Mailbox(from.orElseThrow(), fromName),
                        optIn.orElse(OptIn.DOUBLE),
                        time.instant())
                .withReplyTo(replyTo.orElse(null))
                .withTransport(transport.orElse(null));
    }

    private Optional<String> transport(String name) {
        return Optional.of(name.strip()).filter(mail.names()::contains);
    }

    private static ListBody body(MailingList list, @Nullable SubscriberCounts counts) {
        EmailAddress replyTo = list.replyTo();
        return new ListBody(
                list.name().value(),
                list.description(),
                list.fromEmail().value(),
                list.fromName(),
                replyTo == null ? null : replyTo.value(),
                list.transport(),
                list.optIn().stored(),
                list.attributes(),
                list.createdAt(),
                list.deleting(),
                counts == null ? null : byState(counts));
    }

    private static Map<String, Long> byState(SubscriberCounts counts) {
        Map<String, Long> byState = new TreeMap<>();
        counts.byState().forEach((state, count) -> byState.put(state.stored().toLowerCase(Locale.ROOT), count));
        byState.put("total", counts.total());
        return byState;
    }
}
