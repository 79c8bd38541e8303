package org.azuremail.web.api.automation;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.net.URI;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.azuremail.id.AsciiWord;
import org.azuremail.watcher.Capacity;
import org.azuremail.watcher.WatchService;
import org.azuremail.watcher.Watcher;
import org.azuremail.watcher.WatcherKind;
import org.azuremail.watcher.WatcherKinds;
import org.azuremail.watcher.WatcherKinds.Tested;
import org.azuremail.watcher.Watchers;
import org.azuremail.watcher.Watchers.Answer;
import org.azuremail.web.api.EntityTags;
import org.azuremail.web.api.Idempotency;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.Paging;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.RequestFields;
import org.jspecify.annotations.Nullable;
import org.springframework.context.support.MessageSourceAccessor;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Watchers, and the services that run them. The name of a watcher is its id. */
@RestController
@RequestMapping("/api/v1")
record WatcherApi(Watchers watchers, WatcherKinds kinds, MessageSourceAccessor texts) {

    private static final int PAGE = 1_000;

    record Wanted(
            @Nullable String name,
            @Nullable String kind,
            @JsonSetter(contentNulls = Nulls.FAIL) @Nullable Map<String, String> settings) {}

    record Settings(
            @JsonSetter(contentNulls = Nulls.FAIL) @Nullable Map<String, String> settings) {}

    /**
     * A watcher, with the columns and states that the orchestrator of endless tasks defines.
     *
     * @param serviceId the process that runs the watcher; {@code null} while the watcher waits for one
     * @param ranAt when the last turn ended; up to ten minutes out of date while nothing changes
     * @param failed whether the watcher has failed and waits for a restart
     */
    record WatcherBody(
            String id,
            String name,
            String kind,
            Map<String, String> settings,
            Instant createdAt,
            Instant modifyAt,
            @Nullable String serviceId,
            String status,
            @Nullable Instant ranAt,
            @Nullable Instant dueAt,
            @Nullable String result,
            @Nullable String resultCode,
            int failures,
            boolean failed) {}

    /** The answer to a command: one of the defined answers, and a sentence about it. */
    record AnswerBody(String id, String answer, String message) {}

    /** @param reads whether a watcher with these settings could read */
    record TestedBody(boolean reads, String result, String resultCode) {}

    /** A service: a process on which watchers can run. */
    record ServiceBody(
            String id,
            String name,
            Instant createdAt,
            Instant modifyAt,
            int workersCount,
            long used,
            boolean isDeleted) {}

    record ServicesBody(List<ServiceBody> services, long slots, long waiting, boolean survivesLoss) {}

    @GetMapping("/watchers")
    Items<WatcherBody> all(Paging paging) {
        List<WatcherBody> rest = watchers.after(Objects.requireNonNullElse(paging.cursor(), ""))
                .limit(PAGE + 1L)
                .map(WatcherApi::body)
                .toList();
        return rest.size() > PAGE
                ? paging.items(rest.subList(0, PAGE), rest.get(PAGE - 1).id())
                : paging.items(rest, null);
    }

    @PostMapping("/watchers")
    ResponseEntity<WatcherBody> create(@RequestBody Wanted wanted, Idempotency idempotency) {
        return idempotency.answer(wanted, WatcherBody.class, () -> "", attempt -> {
            Watcher created = made(wanted, attempt).orElseGet(() -> created(wanted));
            return ResponseEntity.created(URI.create("/api/v1/watchers/" + created.name()))
                    .eTag(EntityTags.of(created.version()))
                    .body(body(created));
        });
    }

    /** Returns the watcher that an earlier try created. */
    private Optional<Watcher> made(Wanted wanted, Idempotency.Try attempt) {
        return Optional.ofNullable(wanted.name())
                .filter(name -> attempt.resumed())
                .flatMap(watchers::find)
                .filter(existing -> existing.kind().equals(wanted.kind()))
                .filter(existing -> !existing.createdAt().isBefore(attempt.startedAt()));
    }

    private Watcher created(Wanted wanted) {
        String name = Objects.requireNonNullElse(wanted.name(), "");
        String kind = Objects.requireNonNullElse(wanted.kind(), "");
        Map<String, String> settings = Objects.requireNonNullElse(wanted.settings(), Map.of());
        check(kind, settings, null);
        Answer answer = watchers.create(name, kind, settings);
        if (answer != Answer.CREATED) {
            throw refused(answer, name);
        }
        return require(name);
    }

    /**
     * Tests the settings against the server without changing anything. If the call names an existing watcher and gives
     * no password, the stored password is used.
     */
    @PostMapping("/watchers/test")
    TestedBody test(@RequestBody Wanted wanted) {
        Map<String, String> settings = Objects.requireNonNullElse(wanted.settings(), Map.of());
        Watcher before = wanted.name() == null ? null : require(wanted.name());
        String kind = before == null ? Objects.requireNonNullElse(wanted.kind(), "") : before.kind();
        check(kind, settings, before);
        Tested tested = kinds.test(kinds.find(kind).orElseThrow(), settings, before);
        return new TestedBody(
                tested.reads(), tested.answer().words(), tested.answer().code());
    }

    /** Returns a watcher. The entity tag covers its settings, not the values that its turns change. */
    @GetMapping("/watchers/{id}")
    WatcherBody one(@PathVariable String id, EntityTags tags) {
        Watcher watcher = require(id);
        tags.setEtag(watcher.version());
        return body(watcher);
    }

    /** Replaces the settings. With {@code If-Match}, replaces only the version that the caller has read. */
    @PutMapping("/watchers/{id}")
    WatcherBody configure(@PathVariable String id, @RequestBody Settings wanted, EntityTags tags) {
        Watcher stored = require(id);
        tags.require(stored.version());
        Map<String, String> settings = withoutFormFields(Objects.requireNonNullElse(wanted.settings(), Map.of()));
        check(stored.kind(), settings, stored);
        answer(watchers.configure(id, tags.hasIfMatch() ? stored.version() : null, settings), id);
        return one(id, tags);
    }

    /** Returns the settings without form fields, some of which earlier versions stored and callers send back. */
    private static Map<String, String> withoutFormFields(Map<String, String> settings) {
        Map<String, String> own = new HashMap<>(settings);
        own.keySet().removeIf(name -> name.startsWith("_"));
        return own;
    }

    private Watcher require(String id) {
        return watchers.find(id).orElseThrow(() -> refused(Answer.MISSING, id));
    }

    /** Requests the deletion of a watcher by its id, whatever its version. The watcher's process carries it out. */
    @DeleteMapping("/watchers/{id}")
    ResponseEntity<AnswerBody> delete(@PathVariable String id) {
        return ResponseEntity.status(HttpStatus.ACCEPTED).body(answer(watchers.delete(id), id));
    }

    @PostMapping("/watchers/{id}/withdraw")
    AnswerBody withdraw(@PathVariable String id) {
        return answer(watchers.withdraw(id), id);
    }

    @PostMapping("/watchers/{id}/restart")
    AnswerBody restart(@PathVariable String id) {
        return answer(watchers.restart(id), id);
    }

    /** Creates a deleted watcher again, with its former settings. */
    @PostMapping("/watchers/{id}/again")
    AnswerBody createAgain(@PathVariable String id) {
        return answer(watchers.createAgain(id), id);
    }

    @GetMapping("/services")
    ServicesBody services() {
        Capacity capacity = watchers.capacity();
        return new ServicesBody(
                watchers.services().stream()
                        .map(service -> body(service, capacity))
                        .toList(),
                capacity.slots(),
                capacity.waiting(),
                capacity.survivesLoss());
    }

    private void check(String kind, Map<String, String> settings, @Nullable Watcher before) {
        RequestFields fields = new RequestFields();
        WatcherKind known = kinds.find(kind).orElse(null);
        if (known == null) {
            fields.refuse("kind", words(Answer.NO_KIND, kind));
        } else {
            kinds.faults(known, settings, before)
                    .forEach((field, fault) -> fields.refuse(
                            "settings." + field, texts.getMessage("watcher.fault." + fault, "watcher.fault." + fault)));
        }
        fields.check();
    }

    private AnswerBody answer(Answer answer, String id) {
        return switch (answer) {
            case CREATED, STOPPING, WITHDRAWN, RESTARTED, SAVED ->
                new AnswerBody(id, AsciiWord.of(answer), words(answer, id));
            default -> throw refused(answer, id);
        };
    }

    private RefusedCall refused(Answer answer, String id) {
        String words = words(answer, id);
        return switch (answer) {
            case MISSING -> RefusedCall.notFound(words);
            case NAME_INVALID -> RefusedCall.field("name", words);
            case NAME_TAKEN -> new RefusedCall(ProblemCode.NAME_TAKEN, words);
            case NOT_READY -> new RefusedCall(ProblemCode.NOT_NOW, words);
            case NO_SLOT -> new RefusedCall(ProblemCode.NO_SLOT, words);
            case NOT_ACTIVATED -> new RefusedCall(ProblemCode.NOT_ACTIVATED, words);
            case ALREADY_REQUESTED -> new RefusedCall(ProblemCode.ALREADY_REQUESTED, words);
            case DELETED -> new RefusedCall(ProblemCode.DELETED, words);
            case CHANGED -> new RefusedCall(ProblemCode.VERSION_CHANGED, words);
            default -> new RefusedCall(ProblemCode.STATE_FORBIDS, words);
        };
    }

    private String words(Answer answer, String id) {
        return texts.getMessage("watcher.answer." + answer, new Object[] {id}, "");
    }

    private static WatcherBody body(Watcher watcher) {
        Watcher.Progress progress = watcher.progress();
        return new WatcherBody(
                watcher.name(),
                watcher.name(),
                watcher.kind(),
                withoutFormFields(watcher.settings()),
                watcher.createdAt(),
                watcher.modifyAt(),
                watcher.serviceId().isEmpty() ? null : watcher.serviceId(),
                watcher.status().stored(),
                progress.ranAt(),
                progress.dueAt(),
                progress.result().none() ? null : progress.result().words(),
                progress.result().none() ? null : progress.result().code(),
                progress.failures(),
                watcher.failed());
    }

    private static ServiceBody body(WatchService service, Capacity capacity) {
        return new ServiceBody(
                service.id(),
                service.name(),
                service.createdAt(),
                service.modifyAt(),
                service.workersCount(),
                capacity.usedBy(service),
                service.deleted());
    }
}
