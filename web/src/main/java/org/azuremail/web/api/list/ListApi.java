package org.azuremail.web.api.list;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;
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
import org.azuremail.subscription.removal.ListDeletion;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.SubscriberCounts;
import org.azuremail.time.Time;
import org.azuremail.web.api.Fields;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.Lists;
import org.azuremail.web.api.Once;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.Tags;
import org.azuremail.web.key.ApiKey;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Mailing lists. */
@RestController
@RequestMapping("/api/v1/lists")
record ListApi(
        ListStore lists,
        SubscriptionStore subscribers,
        ListDeletion deletion,
        WaitingRanges waiting,
        Logos logos,
        TransportDirectory mail,
        Once once,
        Time time) {

    /** A list that is to be made. */
    record NewList(
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

    /** A change of a list: a missing value stays, and an empty {@code replyTo}, {@code transport} or {@code plan} is removed. */
    record ListChange(
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
        return new Items<>(
                lists.all().stream().map(list -> ListBody.of(list, null)).toList(), null);
    }

    @PostMapping
    ResponseEntity<ListBody> create(
            @RequestBody NewList wanted, @AuthenticationPrincipal ApiKey key, HttpServletRequest request) {
        Once.Call call = once.call(request, key, wanted);
        read(wanted, time.instant());
        return once.answer(
                call, ListBody.class, () -> "", attempt -> create(read(wanted, attempt.startedAt()), attempt));
    }

    /** The list of an earlier try is known by the instant of that try. */
    private ResponseEntity<ListBody> create(MailingList list, Once.Try attempt) {
        boolean ours = lists.create(list) instanceof ListStore.Creation.Created
                || (attempt.resumed()
                        && lists.findActive(list.name())
                                .filter(there -> there.createdAt().equals(list.createdAt()))
                                .isPresent());
        if (!ours) {
            throw RefusedCall.conflict(
                    ProblemCode.NAME_TAKEN, "A list named " + list.name() + " exists already, or is being deleted.");
        }
        return ResponseEntity.created(URI.create("/api/v1/lists/" + list.name()))
                .body(ListBody.of(list, SubscriberCounts.NONE));
    }

    @GetMapping("/{list}")
    ListBody one(@PathVariable String list, HttpServletResponse response) {
        Versioned<MailingList> found = Lists.find(lists, list);
        response.setHeader(HttpHeaders.ETAG, Tags.of(found.etag()));
        return ListBody.of(found.value(), subscribers.counts(found.value()));
    }

    /** Without {@code If-Match} on whatever is stored, with it only on what the caller has read. */
    @PatchMapping("/{list}")
    ListBody change(
            @PathVariable String list,
            @RequestBody ListChange wanted,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            HttpServletResponse response) {
        Versioned<MailingList> now = ConditionalWrites.until("list " + list, () -> {
            Versioned<MailingList> stored = Lists.find(lists, list);
            Tags.require(ifMatch, stored.etag());
            if (!(lists.update(changed(stored.value(), wanted), stored.etag())
                    instanceof ListStore.Saving.Saved saved)) {
                return Optional.empty();
            }
            waiting.changed(stored.value(), saved.list().value());
            return Optional.of(saved.list());
        });
        response.setHeader(HttpHeaders.ETAG, Tags.of(now.etag()));
        return ListBody.of(now.value(), subscribers.counts(now.value()));
    }

    private MailingList changed(MailingList old, ListChange wanted) {
        Fields fields = new Fields();
        Optional<EmailAddress> from = wanted.fromEmail() == null
                ? Optional.of(old.fromEmail())
                : fields.requiredAddress("fromEmail", wanted.fromEmail());
        String fromName = wanted.fromName() == null ? old.fromName() : fields.line("fromName", wanted.fromName());
        String description =
                wanted.description() == null ? old.description() : fields.line("description", wanted.description());
        Optional<EmailAddress> replyTo = replyTo(wanted.replyTo(), fields);
        Optional<String> transport = transport(wanted.transport(), fields);
        Optional<OptIn> optIn = optIn(wanted.optIn(), fields);
        Optional<Plan> plan = plan(wanted.plan(), fields);
        Limits limits = limits(wanted.perMinute(), wanted.perHour(), old.limits(), fields);
        Brand listed = wanted.listed() == null ? old.brand() : old.brand().withListed(wanted.listed());
        Brand brand = wanted.color() == null ? listed : listed.withColor(color(wanted.color(), fields));
        String address = wanted.address() == null ? null : fields.line("address", wanted.address());
        String language = wanted.language() == null ? old.language() : language(wanted.language(), fields);
        fields.check();
        return new MailingList(
                old.name(),
                description,
                from.orElseThrow(),
                fromName,
                wanted.replyTo() == null ? old.replyTo() : replyTo.orElse(null),
                wanted.transport() == null ? old.transport() : transport.orElse(null),
                language,
                optIn.orElse(old.optIn()),
                old.shards(),
                old.attributes(),
                old.createdAt(),
                wanted.plan() == null ? old.plan() : plan.orElse(null),
                limits,
                address == null ? brand : brand.withAddress(address),
                wanted.welcome() == null ? old.welcome() : wanted.welcome(),
                old.deleting());
    }

    /** The image is the body; an empty one takes the logo away. */
    @PutMapping("/{list}/logo")
    ListBody logo(@PathVariable String list, HttpServletRequest request) throws IOException {
        byte[] image = request.getInputStream().readNBytes(Logos.MOST_BYTES + 1);
        Lists.require(lists, list);
        Optional<String> name = image.length == 0 ? Optional.empty() : logos.keep(image);
        if (image.length > 0 && name.isEmpty()) {
            throw RefusedCall.of(
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                    ProblemCode.MEDIA_TYPE_REFUSED,
                    "A logo is a PNG or JPEG of at most " + Logos.MOST_BYTES + " bytes and " + Logos.MOST_PIXELS
                            + " by " + Logos.MOST_PIXELS + " pixels.");
        }
        MailingList now = ConditionalWrites.until("list " + list, () -> {
            Versioned<MailingList> stored = Lists.find(lists, list);
            Brand before = stored.value().brand();
            MailingList changed = stored.value().withBrand(before.withLogo(name.orElse(null)));
            if (!(lists.update(changed, stored.etag()) instanceof ListStore.Saving.Saved saved)) {
                return Optional.empty();
            }
            logos.replace(before, changed.brand());
            return Optional.of(saved.list().value());
        });
        return ListBody.of(now, subscribers.counts(now));
    }

    @DeleteMapping("/{list}")
    @ResponseStatus(HttpStatus.ACCEPTED)
    void delete(@PathVariable String list) {
        deletion.begin(Lists.require(lists, list).name());
    }

    private MailingList read(NewList wanted, Instant now) {
        Fields fields = new Fields();
        Optional<ListName> name = fields.required("name", wanted.name(), ListName::parse, ListName.RULE);
        Optional<EmailAddress> from = fields.requiredAddress("fromEmail", wanted.fromEmail());
        String fromName = fields.line("fromName", wanted.fromName());
        String description = fields.line("description", wanted.description());
        Optional<EmailAddress> replyTo = replyTo(wanted.replyTo(), fields);
        Optional<String> transport = transport(wanted.transport(), fields);
        Optional<OptIn> optIn = optIn(wanted.optIn(), fields);
        Optional<Plan> plan = plan(wanted.plan(), fields);
        Limits limits = limits(wanted.perMinute(), wanted.perHour(), Limits.NONE, fields);
        String color = color(wanted.color(), fields);
        String address = fields.line("address", wanted.address());
        String language = language(wanted.language(), fields);
        fields.check();
        return MailingList.of(
                        name.orElseThrow(),
                        description,
                        new Mailbox(from.orElseThrow(), fromName),
                        optIn.orElse(OptIn.DOUBLE),
                        now)
                .withReplyTo(replyTo.orElse(null))
                .withTransport(transport.orElse(null))
                .withLanguage(language)
                .withPlan(plan.orElse(null))
                .withLimits(limits.perMinute(), limits.perHour())
                .withWelcome(Boolean.TRUE.equals(wanted.welcome()))
                .withBrand(Brand.NONE
                        .withColor(color)
                        .withAddress(address)
                        .withListed(Boolean.TRUE.equals(wanted.listed())));
    }

    private static Limits limits(@Nullable Integer perMinute, @Nullable Integer perHour, Limits now, Fields fields) {
        return new Limits(
                0,
                fields.limit("perMinute", perMinute, now.perMinute()),
                fields.limit("perHour", perHour, now.perHour()),
                0);
    }

    private static @Nullable String color(@Nullable String value, Fields fields) {
        return fields.optional("color", value, Brand::color, "A colour is written as #rrggbb.")
                .orElse(null);
    }

    private static String language(@Nullable String value, Fields fields) {
        return fields.optional("language", value, MailingList::language, "A language is a BCP 47 tag like en or pt-BR.")
                .orElse(MailingList.DEFAULT_LANGUAGE);
    }

    private static Optional<EmailAddress> replyTo(@Nullable String value, Fields fields) {
        return fields.optional("replyTo", value, EmailAddress::parse, Fields.NOT_AN_ADDRESS);
    }

    private Optional<String> transport(@Nullable String value, Fields fields) {
        return fields.optional(
                "transport",
                value,
                name -> Optional.of(name.strip()).filter(mail.names()::contains),
                "There is no such transport in the settings, only " + String.join(", ", mail.names()) + ".");
    }

    private static Optional<OptIn> optIn(@Nullable String value, Fields fields) {
        return fields.optional("optIn", value, OptIn::parse, "Say double or single.");
    }

    private static Optional<Plan> plan(@Nullable String value, Fields fields) {
        return fields.optional("plan", value, Plan::parse, "Say free or fee-paying.");
    }
}
