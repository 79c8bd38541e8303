package org.azuremail.web.api.operations;

import static org.azuremail.web.api.operations.OperationsApi.at;
import static org.azuremail.web.api.operations.OperationsApi.seconds;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.azuremail.operations.Console;
import org.azuremail.operations.Console.Weight;
import org.azuremail.operations.Operations;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.RequestFields;
import org.azuremail.web.key.ApiKey;
import org.azuremail.work.TuningOverride;
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

/** The calls that read and change one queue or scheduled service. */
@RestController
@RequestMapping("/api/v1/operations/{name}")
record WorkApi(Operations operations, Console console) {

    /**
     * A queue or a service. Values that are unknown or do not apply are {@code null}.
     *
     * @param everySeconds the current interval
     * @param usualSeconds the interval that applies unless it is changed
     * @param priority the priority; {@code null} for the usual one
     * @param perSecond the limit; {@code null} for none
     * @param lastHourPerSecond the average number of items per second in the last hour
     * @param mostPlaces the most items processed at a time, if this number depends on the queue
     * @param recommended the number of items to process at a time so that the waiting work is done in time
     * @param changedAt when the interval, priority or limit was last changed
     */
    record WorkBody(
            String name,
            String kind,
            @Nullable Instant stoppedAt,
            @Nullable Long everySeconds,
            @Nullable Long usualSeconds,
            @Nullable Long shortestSeconds,
            @Nullable Long longestSeconds,
            @Nullable Instant lastRunAt,
            @Nullable Integer priority,
            @Nullable Integer perSecond,
            @Nullable Double lastHourPerSecond,
            @Nullable Set<String> polling,
            @Nullable Long places,
            @Nullable Long mostPlaces,
            @Nullable Long recommended,
            @Nullable Instant changedAt,
            @Nullable String changedBy) {}

    /** A change; a missing value stays as it is, and 0 restores the usual one. */
    record Change(
            @Nullable Long everySeconds,
            @Nullable Integer priority,
            @Nullable Integer perSecond) {}

    /** Ends running work. No process begins new work until the queue or service is started again. */
    @PostMapping("/stop")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void stop(@PathVariable String name, ApiKey key) {
        requireKnown(name);
        operations.stop(name, key.author());
    }

    @PostMapping("/start")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void start(@PathVariable String name) {
        requireKnown(name);
        operations.start(name);
    }

    private void requireKnown(String name) {
        if (!operations.knows(name)) {
            throw unknown(name);
        }
    }

    @GetMapping
    WorkBody one(@PathVariable String name) {
        return console.service(name)
                .map(WorkApi::body)
                .or(() -> console.queue(name).map(WorkApi::body))
                .orElseThrow(() -> unknown(name));
    }

    /** Changes the interval, priority or limit. All processes apply the change within seconds. */
    @PatchMapping
    WorkBody change(@PathVariable String name, @RequestBody Change wanted, ApiKey key) {
        String by = key.author();
        Optional<Console.Service> service = console.service(name);
        if (service.isPresent()) {
            change(service.get(), wanted, by);
        } else {
            change(console.queue(name).orElseThrow(() -> unknown(name)), wanted, by);
        }
        return one(name);
    }

    private void change(Console.Service service, Change wanted, String by) {
        RequestFields fields = new RequestFields();
        refuse("priority", wanted.priority(), "A service has no priority.", fields);
        refuse("perSecond", wanted.perSecond(), "A service has no limit.", fields);
        Long seconds = wanted.everySeconds();
        Duration interval = seconds == null || seconds == 0 ? null : interval(service, seconds, fields);
        fields.check();
        if (seconds != null) {
            console.runEvery(service.name(), interval, now -> false, by);
        }
    }

    private static @Nullable Duration interval(Console.Service service, long seconds, RequestFields fields) {
        boolean allowed =
                seconds >= 1 && seconds <= service.longest().toSeconds() && service.allows(Duration.ofSeconds(seconds));
        if (!allowed) {
            fields.refuse(
                    "everySeconds",
                    service.usual() == null
                            ? "The interval of this service cannot be changed."
                            : "Use " + service.shortest().toSeconds() + " to "
                                    + service.longest().toSeconds() + ", or 0 for the usual interval.");
        }
        return allowed ? Duration.ofSeconds(seconds) : null;
    }

    private void change(Console.Queue queue, Change wanted, String by) {
        console.weigh(queue.seen().name(), now -> Optional.of(weight(wanted, Weight.of(now))), by);
    }

    private static Weight weight(Change wanted, Weight now) {
        RequestFields fields = new RequestFields();
        refuse("everySeconds", wanted.everySeconds(), "A queue has no interval.", fields);
        Integer priority = number("priority", wanted.priority(), now.priority(), TuningOverride.MAX_PRIORITY, fields);
        Integer perSecond =
                number("perSecond", wanted.perSecond(), now.perSecond(), TuningOverride.MAX_PER_SECOND, fields);
        fields.check();
        return new Weight(priority, perSecond);
    }

    /** Runs a service as soon as possible, once across all processes. */
    @PostMapping("/run")
    @ResponseStatus(HttpStatus.ACCEPTED)
    void run(@PathVariable String name) {
        Console.Service service =
                console.service(name).orElseThrow(() -> RefusedCall.notFound("There is no service " + name + "."));
        if (service.stop() != null) {
            throw new RefusedCall(ProblemCode.STOPPED, name + " is stopped. Start it first.");
        }
        console.runNow(name);
    }

    private static void refuse(String field, @Nullable Object value, String why, RequestFields fields) {
        if (value != null) {
            fields.refuse(field, why);
        }
    }

    private static @Nullable Integer number(
            String field, @Nullable Integer wanted, @Nullable Integer now, int max, RequestFields fields) {
        if (wanted == null) {
            return now;
        }
        if (wanted < 0 || wanted > max) {
            fields.refuse(field, "Use a whole number from 1 to " + max + ", or 0 for as usual.");
        }
        return wanted == 0 ? null : wanted;
    }

    private static RefusedCall unknown(String name) {
        return RefusedCall.notFound("There is no queue and no service " + name + ".");
    }

    private static WorkBody body(Console.Service service) {
        TuningOverride tuned = service.tuned();
        boolean set = service.usual() != null;
        return new WorkBody(
                service.name(),
                "service",
                at(service.stop()),
                seconds(service.every()),
                seconds(service.usual()),
                set ? seconds(service.shortest()) : null,
                set ? seconds(service.longest()) : null,
                service.lastRun(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                tuned == null ? null : tuned.at(),
                tuned == null ? null : tuned.by());
    }

    private static WorkBody body(Console.Queue queue) {
        TuningOverride tuned = queue.tuned();
        return new WorkBody(
                queue.seen().name(),
                "queue",
                at(queue.seen().stop()),
                null,
                null,
                null,
                null,
                null,
                tuned == null ? null : tuned.priority(),
                queue.limit() == 0 ? null : queue.limit(),
                queue.lately(),
                queue.polling(),
                queue.seen().places(),
                queue.most() == 0 ? null : queue.most(),
                queue.recommended(),
                tuned == null ? null : tuned.at(),
                tuned == null ? null : tuned.by());
    }
}
