package org.azuremail.greeting;

import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.greeting.Greetings.GreetingRun;
import org.azuremail.list.ListStore;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs.Bodies;
import org.azuremail.message.Messages;
import org.azuremail.message.Occasion;
import org.azuremail.message.Schedule;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.Row;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;
import org.azuremail.work.service.ScheduledService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends greetings: once a day, at its time, each greeting gets a message to the people of its list whose day it is. The
 * row of the day is written first and names the message, so only one message a day is created even after a crash. The
 * fan-out finds the people and marks them.
 *
 * <p>The scheduler wakes this service every few minutes as long as a greeting exists that is not paused.
 */
final class GreetingService implements ScheduledService {

    private static final Logger LOG = LoggerFactory.getLogger(GreetingService.class);

    /**
     * The interval of the service without a greeting. The creation of a greeting wakes it, and so does the scheduler
     * while one exists.
     */
    private static final Duration SLOW_POLL = Duration.ofDays(7);

    private static final Duration RETRY_INTERVAL = Duration.ofMinutes(5);

    /** The greatest difference between the clocks of two hosts. */
    private static final Duration SKEW = Duration.ofMinutes(2);

    private final Greetings greetings;
    private final Messages messages;
    private final ListStore lists;
    private final ZoneId zone;
    private final Time time;
    private volatile Duration rest = SLOW_POLL;

    GreetingService(Greetings greetings, Messages messages, ListStore lists, ZoneId zone, Time time) {
        this.greetings = greetings;
        this.messages = messages;
        this.lists = lists;
        this.zone = zone;
        this.time = time;
    }

    @Override
    public String name() {
        return Greetings.SERVICE;
    }

    @Override
    public Duration interval() {
        return SLOW_POLL;
    }

    @Override
    public Duration restAsOnlyProcess() {
        return rest;
    }

    @Override
    public void run() {
        Optional<Row> chore = greetings.chores().of(Greetings.SERVICE);
        List<Greeting> active = greetings.all().stream()
                .map(Versioned::value)
                .filter(this::hasList)
                .filter(greeting -> !greeting.paused())
                .toList();
        rest = active.stream().map(this::advance).reduce(SLOW_POLL, Durations::min);
        if (active.isEmpty()) {
            chore.ifPresent(row -> greetings.chores().removeIfSettled(row, time.instant()));
        }
    }

    /** Returns whether the greeting's list exists. If not, deletes the greeting, even if a new list has the name. */
    private boolean hasList(Greeting greeting) {
        boolean exists = lists.find(greeting.list())
                .filter(list ->
                        !list.value().createdAt().isAfter(greeting.createdAt().plus(SKEW)))
                .isPresent();
        if (!exists) {
            greetings.delete(greeting.id());
        }
        return exists;
    }

    /**
     * Sends a greeting if it is due. A failure does not prevent the others.
     *
     * @return the time until the greeting needs the service again
     */
    private Duration advance(Greeting greeting) {
        try {
            send(greeting);
        } catch (StorageException | IllegalStateException later) {
            LOG.warn("greeting {} is sent later: {}", greeting.id(), later.toString());
            return RETRY_INTERVAL;
        }
        return greetings
                .next(greeting)
                .map(next -> Duration.between(time.instant(), next))
                .orElse(SLOW_POLL);
    }

    private void send(Greeting greeting) {
        LocalDate day = greeting.lastDue(time.instant(), zone);
        Optional<GreetingRun> last = greetings.runs(greeting.id(), 1).stream().findFirst();
        last.filter(run -> !run.done()).ifPresent(run -> create(greeting, run));
        if (!day.isBefore(greeting.since())
                && last.filter(run -> !run.day().isBefore(day)).isEmpty()) {
            LocalDate from = from(greeting, day, last.map(GreetingRun::day));
            GreetingRun run = new GreetingRun(day, from, messages.nextRef(), false, Reason.NONE);
            create(greeting, greetings.begin(greeting.id(), run));
        }
    }

    /**
     * Returns the first day of a run: two days back for people who are added late, further back after an outage, but
     * not before the greeting's first day. People who joined after a welcome was created, but on a day whose time was
     * over, count to the first day.
     */
    private LocalDate from(Greeting greeting, LocalDate day, Optional<LocalDate> last) {
        LocalDate first =
                greeting.welcomeSince(zone).isPresent() ? greeting.since().minusDays(1) : greeting.since();
        LocalDate late = day.minusDays(Greeting.CATCH_UP_DAYS);
        LocalDate missed = last.map(before -> before.plusDays(1)).orElse(first);
        LocalDate wanted = missed.isBefore(late) ? missed : late;
        return Collections.max(List.of(wanted, day.minusDays(Greeting.MAX_CATCH_UP_DAYS), first));
    }

    private void create(Greeting read, GreetingRun run) {
        if (run.done()) {
            return;
        }
        if (messages.find(run.message()).isPresent()) {
            greetings.end(read.id(), run.ended(Reason.NONE));
            return;
        }
        Optional<Greeting> now = wanted(read.id(), run);
        if (now.isEmpty()) {
            greetings.drop(read.id(), run);
            return;
        }
        Greeting greeting = now.get();
        Optional<Message> text = messages.find(greeting.text());
        Optional<Bodies> bodies = text.flatMap(messages::bodies);
        if (text.isEmpty() || bodies.isEmpty()) {
            LOG.warn("greeting {} has no text any more", greeting.id());
            greetings.end(greeting.id(), run.ended(Reason.of(ReasonCode.NO_BODY)));
            return;
        }
        Messages.MessageCreateResult made = messages.create(
                run.message(),
                message(greeting, run, messages.draft(text.get(), bodies.get())),
                () -> !messages.wasDeleted(run.message())
                        && wanted(greeting.id(), run).isPresent());
        if (made instanceof Messages.MessageCreateResult.Unwanted
                && wanted(greeting.id(), run).isEmpty()) {
            greetings.drop(greeting.id(), run);
            return;
        }
        Reason why = made instanceof Messages.MessageCreateResult.Refused refused
                ? refused.problems().get(0).reason()
                : Reason.NONE;
        greetings.end(greeting.id(), run.ended(why));
    }

    /**
     * Returns the greeting unless it was paused or deleted since the run began. It may also have been resumed on a
     * later day.
     */
    private Optional<Greeting> wanted(String id, GreetingRun run) {
        return greetings
                .find(id)
                .map(Versioned::value)
                .filter(greeting -> !greeting.paused() && !run.day().isBefore(greeting.since()));
    }

    private Messages.NewMessage message(Greeting greeting, GreetingRun run, Draft draft) {
        String field = greeting.welcomeSince(zone)
                .filter(since -> run.from().isBefore(greeting.since()))
                .map(since -> Long.toString(since.toEpochMilli()))
                .orElse(greeting.field());
        Occasion occasion = new Occasion(greeting.id(), greeting.kind(), field, greeting.days(), run.from(), run.day());
        return new Messages.NewMessage(
                Audience.of(greeting.list()).on(occasion),
                draft,
                new Schedule(time.instant(), zone),
                OnUnknown.HOLD,
                null,
                greeting.createdBy(),
                false,
                false);
    }
}
