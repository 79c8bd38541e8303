package org.azuremail.web.api;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.azuremail.delivery.WaitingRanges;
import org.azuremail.limit.Limits;
import org.azuremail.limit.RateLimits;
import org.azuremail.mail.MailProperties;
import org.azuremail.mail.MailProperties.Configured;
import org.azuremail.route.Breakers;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The transports of the settings: how many mails leave by each, over all senders, and whether mail flows. */
@RestController
@RequestMapping("/api/v1/transports")
class TransportApi {

    private final MailProperties mail;
    private final RateLimits limits;
    private final Breakers breakers;
    private final WaitingRanges waiting;

    TransportApi(MailProperties mail, RateLimits limits, Breakers breakers, WaitingRanges waiting) {
        this.mail = mail;
        this.limits = limits;
        this.breakers = breakers;
        this.waiting = waiting;
    }

    /**
     * A transport.
     *
     * @param perSecond 0 is no limit, here and in the others
     * @param waitsFor why no mail flows by it; {@code null} when it does
     * @param waitsUntil when it is tried again
     */
    record TransportBody(
            String name,
            String kind,
            int perSecond,
            int perMinute,
            int perHour,
            int perDay,
            @Nullable String waitsFor,
            @Nullable String waitsForCode,
            @Nullable Instant waitsUntil) {}

    /** What is to change; what is missing stays. */
    record LimitChange(
            @Nullable Integer perSecond,
            @Nullable Integer perMinute,
            @Nullable Integer perHour,
            @Nullable Integer perDay) {}

    @GetMapping
    Items<TransportBody> all() {
        List<Breakers.Waiting> left = breakers.waiting();
        return new Items<>(mail.all().stream().map(one -> body(one, left)).toList(), null);
    }

    @GetMapping("/{name}")
    TransportBody one(@PathVariable String name) {
        return body(require(name), breakers.waiting());
    }

    /** Followed by all senders within seconds. */
    @PatchMapping("/{name}")
    TransportBody change(@PathVariable String name, @RequestBody LimitChange wanted) {
        Configured one = require(name);
        Limits now = limits.of(one.name()).limits();
        Fields fields = new Fields();
        Limits changed = new Limits(
                limit("perSecond", wanted.perSecond(), now.perSecond(), fields),
                limit("perMinute", wanted.perMinute(), now.perMinute(), fields),
                limit("perHour", wanted.perHour(), now.perHour(), fields),
                limit("perDay", wanted.perDay(), now.perDay(), fields));
        fields.check();
        limits.of(one.name()).change(changed);
        waiting.goOn();
        return body(one, breakers.waiting());
    }

    private static int limit(String field, @Nullable Integer wanted, int now, Fields fields) {
        if (wanted == null) {
            return now;
        }
        if (wanted < 0 || wanted > Limits.HIGHEST) {
            fields.refuse(field, "Say a whole number from 0 to " + Limits.HIGHEST + "; 0 is no limit.");
            return now;
        }
        return wanted;
    }

    /** Somebody mended it: it is tried at once, by all that waits. */
    @PostMapping("/{name}/try")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void tryAgain(@PathVariable String name) {
        breakers.of(require(name).name()).close();
        waiting.goOn();
    }

    private Configured require(String name) {
        return mail.all().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> RefusedCall.notFound("There is no transport " + name + " in the settings."));
    }

    private TransportBody body(Configured one, List<Breakers.Waiting> left) {
        Limits now = limits.of(one.name()).limits();
        Optional<Breakers.Waiting> waits = waits(one, left);
        return new TransportBody(
                one.name(),
                one.kind(),
                now.perSecond(),
                now.perMinute(),
                now.perHour(),
                now.perDay(),
                waits.map(found -> found.state().reason().words()).orElse(null),
                waits.map(found -> found.state().reason().code()).orElse(null),
                waits.map(found -> found.state().until()).orElse(null));
    }

    private static Optional<Breakers.Waiting> waits(Configured one, List<Breakers.Waiting> left) {
        return left.stream()
                .filter(other -> other.transport().equals(one.name()))
                .findFirst();
    }
}
