package org.azuremail.web.api.automation;

import java.net.URI;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.azuremail.content.MessageBodies.Problem;
import org.azuremail.field.FieldStore;
import org.azuremail.greeting.Greeting;
import org.azuremail.greeting.GreetingInput;
import org.azuremail.greeting.GreetingInput.GreetingReason;
import org.azuremail.greeting.Greetings;
import org.azuremail.id.AsciiWord;
import org.azuremail.id.CompactIds;
import org.azuremail.list.ListStore;
import org.azuremail.message.Messages;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.web.api.EntityTags;
import org.azuremail.web.api.Idempotency;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.RequestFields;
import org.azuremail.web.key.ApiKey;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/v1/greetings")
record GreetingApi(
        Greetings greetings, ListStore lists, FieldStore fields, Messages messages, CompactIds ids, Time time) {

    private static final int DAYS = 30;

    record Wanted(
            @Nullable String name,
            @Nullable String list,
            @Nullable String occasion,
            @Nullable String field,
            @Nullable Integer days,
            @Nullable String time,
            @Nullable String message) {

        GreetingInput terms() {
            return new GreetingInput(name, list, occasion, field, days == null ? "" : days.toString(), time, message);
        }
    }

    /** A day with a message of the greeting. */
    record Day(
            LocalDate day,
            String messageRef,
            boolean done,
            @Nullable String reason) {}

    /**
     * @param next when the next message is due; {@code null} while the greeting is paused
     * @param sent the latest days with a message; {@code null} in listings
     */
    record GreetingBody(
            String id,
            String name,
            String list,
            String occasion,
            @Nullable String field,
            @Nullable Integer days,
            String time,
            String message,
            boolean paused,
            @Nullable Instant next,
            @Nullable List<Day> sent) {}

    @GetMapping
    Items<GreetingBody> all() {
        return Items.all(greetings.all(), read -> body(read.value(), null));
    }

    @PostMapping
    ResponseEntity<GreetingBody> create(@RequestBody Wanted wanted, ApiKey key, Idempotency idempotency) {
        return idempotency.answer(wanted, GreetingBody.class, () -> Long.toString(ids.next("greeting")), attempt -> {
            Greeting greeting = greetings
                    .find(attempt.intended())
                    .map(Versioned::value)
                    .orElseGet(() -> created(read(wanted.terms(), attempt.intended(), key.label())));
            return ResponseEntity.created(URI.create("/api/v1/greetings/" + greeting.id()))
                    .body(body(greeting, List.of()));
        });
    }

    private Greeting created(Greeting greeting) {
        if (greetings.all().size() >= Greetings.MAX) {
            throw RequestFields.refusal(List.of(new Problem("name", GreetingReason.GREETING_MOST, Greetings.MAX)));
        }
        greetings.create(greeting);
        return greeting;
    }

    @GetMapping("/{id}")
    GreetingBody one(@PathVariable String id, EntityTags tags) {
        Versioned<Greeting> read = require(id);
        tags.setEtag(read.etag());
        return body(read.value(), sent(id));
    }

    /** Changes everything but the list. */
    @PutMapping("/{id}")
    GreetingBody change(@PathVariable String id, @RequestBody Wanted wanted, ApiKey key, EntityTags tags) {
        Versioned<Greeting> stored = require(id);
        Greeting changed = read(wanted.terms().withList(stored.value().list()), id, key.label());
        return change(id, tags, read -> greetings.change(read, greeting -> greeting.edited(changed)));
    }

    @PostMapping("/{id}/pause")
    GreetingBody pause(@PathVariable String id, EntityTags tags) {
        return change(id, tags, read -> greetings.change(read, Greeting::asPaused));
    }

    @PostMapping("/{id}/resume")
    GreetingBody resume(@PathVariable String id, EntityTags tags) {
        return change(id, tags, greetings::resume);
    }

    private GreetingBody change(String id, EntityTags tags, Function<Versioned<Greeting>, Saved<Greeting>> how) {
        Versioned<Greeting> stored = require(id);
        tags.require(stored.etag());
        Saved<Greeting> saved = how.apply(stored);
        Versioned<Greeting> now = saved.done()
                .orElseThrow(() -> saved instanceof Saved.Missing
                        ? unknown(id)
                        : new RefusedCall(
                                HttpStatus.CONFLICT,
                                ProblemCode.VERSION_CHANGED,
                                "Somebody else changed the greeting. Read it again."));
        tags.setEtag(now.etag());
        return body(now.value(), sent(id));
    }

    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(@PathVariable String id) {
        require(id);
        greetings.delete(id);
    }

    private Greeting read(GreetingInput input, String id, String by) {
        List<Problem> problems = new ArrayList<>();
        Optional<Greeting> greeting = new GreetingInput.GreetingParser(lists, fields, messages, greetings)
                .read(input, id, time.instant(), by, problems);
        return greeting.orElseThrow(() -> RequestFields.refusal(problems));
    }

    private Versioned<Greeting> require(String id) {
        return Optional.of(id)
                .filter(one -> one.matches("[0-9]{1,19}"))
                .flatMap(greetings::find)
                .orElseThrow(() -> unknown(id));
    }

    private static RefusedCall unknown(String id) {
        return RefusedCall.notFound("There is no greeting " + id + ".");
    }

    private List<Day> sent(String id) {
        return greetings.runs(id, DAYS).stream()
                .map(run -> new Day(
                        run.day(),
                        run.message().toString(),
                        run.done(),
                        run.reason().none() ? null : run.reason().words()))
                .toList();
    }

    private GreetingBody body(Greeting greeting, @Nullable List<Day> sent) {
        return new GreetingBody(
                greeting.id(),
                greeting.name(),
                greeting.list().value(),
                AsciiWord.of(greeting.kind()),
                greeting.field().isEmpty() ? null : greeting.field(),
                greeting.days() == 0 ? null : greeting.days(),
                greeting.time().toString(),
                greeting.text().toString(),
                greeting.paused(),
                greetings.next(greeting).orElse(null),
                sent);
    }
}
