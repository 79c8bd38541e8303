package org.azuremail.web.api.operations;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.Nulls;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.azuremail.limit.Limits;
import org.azuremail.limit.RateLimits;
import org.azuremail.mail.MailProperties.Configured;
import org.azuremail.mail.MailProperties.WhenFull;
import org.azuremail.mail.TransportKind;
import org.azuremail.route.BreakerState;
import org.azuremail.route.Breakers;
import org.azuremail.sending.StoredTransport;
import org.azuremail.sending.TransportDirectory.Snapshot;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Versioned;
import org.azuremail.web.api.EntityTags;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.RequestFields;
import org.azuremail.web.key.ApiKey;
import org.azuremail.web.sending.TransportChanges;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSource;
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
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Shows, adds, changes and removes transports, and changes their order and their limits across all senders. */
@RestController
@RequestMapping("/api/v1/transports")
record TransportApi(TransportChanges changes, RateLimits limits, Breakers breakers, MessageSource texts) {

    /**
     * @param limits the limits across all senders; 0 means no limit
     * @param waitsFor why the transport sends nothing; {@code null} if it works
     * @param waitsUntil when the transport is tried again
     * @param fixed whether the transport is defined in configuration files: only its limits and its place can be
     *     changed
     * @param place the place in the order, from 1; 0 if only lists that choose the transport use it
     * @param settings the settings of an added transport, by name, without its secrets
     * @param secrets the names of the stored secrets
     */
    record TransportBody(
            String name,
            String kind,
            @JsonUnwrapped Limits limits,
            @Nullable String waitsFor,
            @Nullable String waitsForCode,
            @Nullable Instant waitsUntil,
            boolean fixed,
            int place,
            Map<String, String> settings,
            Set<String> secrets,
            String whenFull) {}

    /**
     * @param settings all settings; a missing secret keeps its value
     * @param whenFull {@code wait}, the default, or {@code next}
     */
    record NewTransport(
            @Nullable String kind,
            @JsonSetter(contentNulls = Nulls.FAIL) @Nullable Map<String, String> settings,
            @Nullable String whenFull) {

        /** Omits the settings, because they contain secrets. */
        @Override
        public String toString() {
            return "NewTransport[" + kind + "]";
        }
    }

    /**
     * @param order the names of the transports for lists that choose none; the first transport that can send does so
     */
    record Order(@Nullable List<String> order) {}

    /** A change of the limits; a missing value leaves the limit as it is. */
    record LimitChange(
            @Nullable Integer perSecond,
            @Nullable Integer perMinute,
            @Nullable Integer perHour,
            @Nullable Integer perDay) {}

    @GetMapping
    Items<TransportBody> all() {
        List<Breakers.Waiting> left = breakers.waiting();
        return Items.all(changes.transports().refresh().all(), one -> body(one, left));
    }

    @GetMapping("/{name}")
    TransportBody one(@PathVariable String name, EntityTags tags) {
        Configured one = require(name);
        added(name).ifPresent(stored -> tags.setEtag(stored.etag()));
        return body(one, breakers.waiting());
    }

    /** Adds a transport, or changes one that was added. A new transport sends nothing until it is in the order. */
    @PutMapping("/{name}")
    ResponseEntity<TransportBody> put(
            @PathVariable String name, @RequestBody NewTransport wanted, EntityTags tags, ApiKey key) {
        if (changes.transports().fixed(name)) {
            throw new RefusedCall(
                    ProblemCode.TRANSPORT_IN_USE, "Transport " + name + " can only be changed in configuration files.");
        }
        RequestFields fields = new RequestFields();
        String kind = fields.required("kind", wanted.kind(), Optional::of, "").orElse("");
        WhenFull full = fields.word("whenFull", wanted.whenFull(), WhenFull.class, "Use wait or next.")
                .orElse(WhenFull.WAIT);
        fields.check();
        Map<String, String> settings = wanted.settings() == null ? Map.of() : wanted.settings();
        TransportChanges.Wanted all = new TransportChanges.Wanted(name, kind, settings, full);
        return ConditionalWrites.retry("transport " + name, () -> save(all, tags, fields, key));
    }

    /** Returns the answer; empty if somebody else added, changed or removed the transport meanwhile. */
    private Optional<ResponseEntity<TransportBody>> save(
            TransportChanges.Wanted all, EntityTags tags, RequestFields fields, ApiKey key) {
        String name = all.name();
        Optional<Versioned<StoredTransport>> stored = added(name);
        stored.ifPresentOrElse(found -> tags.require(found.etag()), tags::requireNone);
        TransportChanges.Saving saving = stored.map(found -> changes.change(all, found.etag(), key.author()))
                .orElseGet(() -> changes.add(all, atFirst(all.kind()), key.author()));
        boolean others = stored.isEmpty() && added(name).isPresent();
        if (saving instanceof TransportChanges.Saving.Refused refused && !others) {
            refused.problems().forEach(problem -> fields.refuse(field(problem), words(problem)));
            fields.check();
        }
        if (!(saving instanceof TransportChanges.Saving.Saved)) {
            return Optional.empty();
        }
        return Optional.of(ResponseEntity.status(stored.isPresent() ? HttpStatus.OK : HttpStatus.CREATED)
                .eTag(added(name).map(now -> EntityTags.of(now.etag())).orElse(null))
                .body(body(require(name), breakers.waiting())));
    }

    private static String field(TransportChanges.Problem problem) {
        return switch (problem.setting()) {
            case "" -> problem.code().equals("kind") ? "kind" : "name";
            case "name" -> "name";
            default -> "settings." + problem.setting();
        };
    }

    private Limits atFirst(String kind) {
        return Limits.perSecond(
                changes.kinds().find(kind).map(TransportKind::startingRate).orElse(0));
    }

    private String words(TransportChanges.Problem problem) {
        return texts.getMessage("error.sending." + problem.code(), new Object[] {problem.setting()}, Locale.ENGLISH);
    }

    /** Removes a transport. Lists that chose it use the order from then on. */
    @DeleteMapping("/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void remove(
            @PathVariable String name,
            @RequestParam(defaultValue = "false") boolean evenIfChosen,
            EntityTags tags,
            ApiKey key) {
        require(name);
        Versioned<StoredTransport> stored = added(name)
                .orElseThrow(() -> new RefusedCall(
                        ProblemCode.TRANSPORT_IN_USE,
                        "Transport " + name + " can only be removed from configuration files."));
        tags.require(stored.etag());
        int lists = changes.listsOf(name).size();
        if (changes.lastInUse(name) || (lists > 0 && !evenIfChosen)) {
            throw new RefusedCall(
                    ProblemCode.TRANSPORT_IN_USE,
                    changes.lastInUse(name)
                            ? "No other transport is in the order. Put one there first."
                            : "Number of lists that choose it: " + lists
                                    + ". To remove it all the same, say evenIfChosen=true.");
        }
        if (!changes.remove(name, stored.etag(), key.author())) {
            throw new RefusedCall(ProblemCode.NOT_NOW, "Somebody else is changing it. Repeat the call.");
        }
    }

    /** Sets the order of the transports for lists that choose none. */
    @PutMapping
    Items<TransportBody> reorder(@RequestBody Order wanted, ApiKey key) {
        List<String> order = wanted.order() == null ? List.of() : wanted.order();
        Snapshot now = changes.transports().refresh();
        boolean known =
                now.names().containsAll(order) && order.stream().distinct().count() == order.size();
        if (order.isEmpty() || !known) {
            throw RefusedCall.field(
                    "order", "Name each transport once, of these: " + String.join(", ", now.names()) + ".");
        }
        if (!changes.order(order, now.order(), key.author())) {
            throw new RefusedCall(ProblemCode.NOT_NOW, "Somebody else is changing the order. Repeat the call.");
        }
        return all();
    }

    private Optional<Versioned<StoredTransport>> added(String name) {
        return Optional.ofNullable(changes.transports().refresh().added().get(name));
    }

    /** Changes the limits. All senders apply them within seconds. */
    @PatchMapping("/{name}")
    TransportBody change(@PathVariable String name, @RequestBody LimitChange wanted, ApiKey key) {
        Configured one = require(name);
        ConditionalWrites.retryUntilDone("the limits of " + one.name(), () -> {
            Limits now = limits.of(one.name()).limits();
            return changes.limit(one.name(), now, changed(now, wanted), key.author());
        });
        return body(one, breakers.waiting());
    }

    private static Limits changed(Limits now, LimitChange wanted) {
        RequestFields fields = new RequestFields();
        Limits changed = new Limits(
                fields.limit("perSecond", wanted.perSecond(), now.perSecond()),
                fields.limit("perMinute", wanted.perMinute(), now.perMinute()),
                fields.limit("perHour", wanted.perHour(), now.perHour()),
                fields.limit("perDay", wanted.perDay(), now.perDay()));
        fields.check();
        return changed;
    }

    /** Tries a repaired transport again at once, for all work that waits for it. */
    @PostMapping("/{name}/try")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void tryAgain(@PathVariable String name) {
        changes.retryNow(require(name).name());
    }

    private Configured require(String name) {
        return changes.transports()
                .refresh()
                .find(name)
                .orElseThrow(() -> RefusedCall.notFound("There is no transport " + name + "."));
    }

    private TransportBody body(Configured one, List<Breakers.Waiting> left) {
        Optional<BreakerState> waits = waits(one, left);
        Snapshot known = changes.transports().recent();
        Optional<StoredTransport> stored =
                Optional.ofNullable(known.added().get(one.name())).map(Versioned::value);
        return new TransportBody(
                one.name(),
                one.kind(),
                limits.of(one.name()).limits(),
                waits.map(found -> found.reason().words()).orElse(null),
                waits.map(found -> found.reason().code()).orElse(null),
                waits.map(BreakerState::until).orElse(null),
                stored.isEmpty(),
                known.order().indexOf(one.name()) + 1,
                stored.map(StoredTransport::settings).orElse(Map.of()),
                stored.map(found -> found.secrets().keySet()).orElse(Set.of()),
                one.whenFull().name().toLowerCase(Locale.ROOT));
    }

    private static Optional<BreakerState> waits(Configured one, List<Breakers.Waiting> left) {
        return left.stream()
                .filter(other -> other.transport().equals(one.name()))
                .map(Breakers.Waiting::state)
                .findFirst();
    }
}
