package org.azuremail.web.api.list;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.azuremail.delivery.range.WaitingRanges;
import org.azuremail.limit.Limits;
import org.azuremail.list.Brand;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.Logos;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.mailclass.Plan;
import org.azuremail.sending.TransportDirectory;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.ListDeletion;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.SubscriberCounts;
import org.azuremail.web.api.EntityTags;
import org.azuremail.web.api.Idempotency;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.RequestFields;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/v1/lists")
record ListApi(
        ListStore lists,
        SubscriptionStore subscribers,
        ListDeletion deletion,
        WaitingRanges waiting,
        Logos logos,
        TransportDirectory transports) {

    /** A placeholder for the sender of a new list until the sender is read from the call. */
    private static final Mailbox NOBODY = new Mailbox(new EmailAddress("nobody@example.org"), "");

    /**
     * The fields of a new list, or the changes to a list. A missing value leaves a field unchanged. An empty
     * {@code replyTo}, {@code transport} or {@code plan} removes the value.
     *
     * @param name the name of a new list; refused in a change
     */
    record ListFields(
            @Nullable String name,
            @Nullable String description,
            @Nullable String fromEmail,
            @Nullable String fromName,
            @Nullable String replyTo,
            @Nullable String transport,
            @Nullable String optIn,
            @Nullable String plan,
            @Nullable Integer perMinute,
            @Nullable Integer perHour,
            @Nullable String color,
            @Nullable String address,
            @Nullable Boolean welcome,
            @Nullable Boolean listed,
            @Nullable String language) {}

    @GetMapping
    Items<ListBody> all() {
        return Items.all(lists.all(), list -> ListBody.of(list, null));
    }

    @PostMapping
    ResponseEntity<ListBody> create(@RequestBody ListFields wanted, Idempotency idempotency) {
        return idempotency.answer(wanted, ListBody.class, () -> "", attempt -> create(wanted, attempt));
    }

    private MailingList read(ListFields wanted, Instant now) {
        RequestFields fields = new RequestFields();
        Optional<ListName> name = fields.required("name", wanted.name(), ListName::parse, ListName.RULE);
        if (wanted.fromEmail() == null) {
            fields.refuse("fromEmail", RequestFields.MISSING);
        }
        ListName known = name.orElse(new ListName("new"));
        return changed(MailingList.of(known, "", NOBODY, OptIn.DOUBLE, now), wanted, fields);
    }

    private ResponseEntity<ListBody> create(ListFields wanted, Idempotency.Try attempt) {
        MailingList list = made(wanted, attempt)
                .or(() -> lists.create(read(wanted, attempt.startedAt())).done().map(Versioned::value))
                .or(() -> made(wanted, attempt))
                .orElseThrow(() -> new RefusedCall(
                        ProblemCode.NAME_TAKEN,
                        "A list named " + wanted.name() + " exists already, or is being deleted."));
        return ResponseEntity.created(URI.create("/api/v1/lists/" + list.name()))
                .body(ListBody.of(list, SubscriberCounts.NONE));
    }

    /** Returns the list of an earlier try, recognized by the instant at which the first try started. */
    private Optional<MailingList> made(ListFields wanted, Idempotency.Try attempt) {
        return Optional.ofNullable(wanted.name())
                .filter(name -> attempt.resumed())
                .flatMap(ListName::parse)
                .flatMap(lists::findActive)
                .filter(existing -> existing.createdAt().equals(attempt.startedAt()));
    }

    @GetMapping("/{list}")
    ListBody one(@PathVariable String list, EntityTags tags) {
        Versioned<MailingList> found = find(list);
        tags.setEtag(found.etag());
        return ListBody.of(found.value(), subscribers.counts(found.value()));
    }

    /** Changes a list. With {@code If-Match}, changes only the version that the caller has read. */
    @PatchMapping("/{list}")
    ListBody change(@PathVariable String list, @RequestBody ListFields wanted, EntityTags tags) {
        Versioned<MailingList> now = update(
                list,
                stored -> {
                    tags.require(stored.etag());
                    RequestFields fields = new RequestFields();
                    if (wanted.name() != null) {
                        fields.refuse("name", "Unknown field.");
                    }
                    return changed(stored.value(), wanted, fields);
                },
                waiting::changed);
        tags.setEtag(now.etag());
        return ListBody.of(now.value(), subscribers.counts(now.value()));
    }

    private Versioned<MailingList> find(String list) {
        return ListName.parse(list).flatMap(lists::find).orElseThrow(() -> RefusedCall.noList(list));
    }

    /** @param afterwards receives the list before and after the change */
    private Versioned<MailingList> update(
            String list,
            Function<Versioned<MailingList>, MailingList> change,
            BiConsumer<MailingList, MailingList> afterwards) {
        return ConditionalWrites.retry("list " + list, () -> {
            Versioned<MailingList> stored = find(list);
            Optional<Versioned<MailingList>> saved =
                    lists.update(change.apply(stored), stored.etag()).done();
            saved.ifPresent(now -> afterwards.accept(stored.value(), now.value()));
            return saved;
        });
    }

    private MailingList changed(MailingList old, ListFields wanted, RequestFields fields) {
        Optional<EmailAddress> from = wanted.fromEmail() == null
                ? Optional.of(old.fromEmail())
                : fields.requiredAddress("fromEmail", wanted.fromEmail());
        String fromName = wanted.fromName() == null ? old.fromName() : fields.line("fromName", wanted.fromName());
        String description =
                wanted.description() == null ? old.description() : fields.line("description", wanted.description());
        Optional<EmailAddress> replyTo =
                fields.optional("replyTo", wanted.replyTo(), EmailAddress::parse, RequestFields.NOT_AN_ADDRESS);
        Optional<String> transport = fields.optional(
                "transport",
                wanted.transport(),
                name -> Optional.of(name.strip()).filter(transports.names()::contains),
                "There is no such transport in the settings, only " + String.join(", ", transports.names()) + ".");
        Optional<OptIn> optIn = fields.optional("optIn", wanted.optIn(), OptIn::parse, "Use double or single.");
        Optional<Plan> plan = fields.optional("plan", wanted.plan(), Plan::parse, "Use free or fee-paying.");
        int perMinute =
                fields.limit("perMinute", wanted.perMinute(), old.limits().perMinute());
        int perHour = fields.limit("perHour", wanted.perHour(), old.limits().perHour());
        Optional<String> color =
                fields.optional("color", wanted.color(), Brand::color, "A colour is written as #rrggbb.");
        String address = wanted.address() == null ? null : fields.line("address", wanted.address());
        Optional<String> language = fields.optional(
                "language", wanted.language(), MailingList::language, "A language is a BCP 47 tag like en or pt-BR.");
        fields.check();
        Brand brand = wanted.listed() == null ? old.brand() : old.brand().withListed(wanted.listed());
        brand = wanted.color() == null ? brand : brand.withColor(color.orElse(null));
        return new MailingList(
                old.name(),
                description,
                from.orElseThrow(),
                fromName,
                wanted.replyTo() == null ? old.replyTo() : replyTo.orElse(null),
                wanted.transport() == null ? old.transport() : transport.orElse(null),
                wanted.language() == null ? old.language() : language.orElse(MailingList.DEFAULT_LANGUAGE),
                optIn.orElse(old.optIn()),
                old.shards(),
                old.attributes(),
                old.createdAt(),
                wanted.plan() == null ? old.plan() : plan.orElse(null),
                new Limits(0, perMinute, perHour, 0),
                address == null ? brand : brand.withAddress(address),
                wanted.welcome() == null ? old.welcome() : wanted.welcome(),
                old.deleting());
    }

    /** Sets the logo to the image in the body. An empty body removes the logo. */
    @PutMapping("/{list}/logo")
    ListBody logo(HttpServletRequest request, MailingList list) throws IOException {
        byte[] image = request.getInputStream().readNBytes(Logos.MAX_BYTES + 1);
        Optional<String> name = image.length == 0 ? Optional.empty() : logos.store(image);
        if (image.length > 0 && name.isEmpty()) {
            throw new RefusedCall(
                    ProblemCode.MEDIA_TYPE_REFUSED,
                    "A logo is a PNG or JPEG of at most " + Logos.MAX_BYTES + " bytes and " + Logos.MAX_PIXELS + " by "
                            + Logos.MAX_PIXELS + " pixels.");
        }
        MailingList now = update(
                        list.name().value(),
                        stored ->
                                stored.value().withBrand(stored.value().brand().withLogo(name.orElse(null))),
                        (before, after) -> logos.deleteUnused(before.brand(), after.brand()))
                .value();
        return ListBody.of(now, subscribers.counts(now));
    }

    @DeleteMapping("/{list}")
    @ResponseStatus(HttpStatus.ACCEPTED)
    void delete(MailingList list) {
        deletion.begin(list.name());
    }
}
