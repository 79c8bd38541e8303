package org.azuremail.web.message;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.azuremail.content.MessageBodies.Problem;
import org.azuremail.greeting.Greeting;
import org.azuremail.greeting.GreetingInput.GreetingReason;
import org.azuremail.greeting.Greetings;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.message.Messages.Hold;
import org.azuremail.message.Messages.MessageEditResult;
import org.azuremail.message.Schedule;
import org.azuremail.segment.Segments;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Versioned;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;
import org.springframework.validation.annotation.Validated;

/**
 * Sends a draft, at once or at its date, if it can be sent, and turns a message that has not started back into a draft.
 */
@Component
@EnableConfigurationProperties(DraftSending.UndoProperties.class)
public record DraftSending(
        MessagePageSupport support,
        Messages messages,
        Segments segments,
        Greetings greetings,
        UndoProperties settings) {

    /**
     * The time in which an admin can take back a message.
     *
     * @param undo the time from <em>Send</em> on a page until the message is due; zero for none, at most ten minutes
     */
    @Validated
    @ConfigurationProperties("azuremail.message")
    record UndoProperties(
            @DefaultValue("30s") @DurationMin(message = "must not be negative") @DurationMax(minutes = 10)
            Duration undo) {}

    /**
     * Returns the reasons why the draft cannot be sent; empty if it can. The text of a greeting is sent only to the
     * people whose day it is.
     */
    public List<Problem> problems(Message message) {
        List<Problem> problems = new ArrayList<>(messages.problems(message));
        if (problems.isEmpty()) {
            segments.fault(message.audience()).ifPresent(fault -> problems.add(new Problem("segment", fault)));
        }
        greeting(message).ifPresent(name -> problems.add(new Problem("greeting", GreetingReason.GREETING_SENDS, name)));
        return problems;
    }

    /** Returns the name of a greeting that sends this text. Without the text, the greeting would send nothing. */
    public Optional<String> greeting(Message message) {
        return greetings.all().stream()
                .map(Versioned::value)
                .filter(greeting -> greeting.text().equals(message.ref()))
                .map(Greeting::name)
                .findFirst();
    }

    public enum Result {
        SUCCEEDED,
        /** The message is not a draft, or another request was first. */
        NO_DRAFT,
        /** The message is not the version that the admin saw. */
        CHANGED,
        /** The draft has problems that prevent sending it. */
        REFUSED
    }

    /** Sends a draft at once. A repeated call does not send it again. */
    public Result send(Message message) {
        return release(message, null, stored -> sentAfter(stored, Duration.ZERO));
    }

    /**
     * Sends a draft after the time in which it can be taken back. A repeated call does not send it again.
     *
     * @param etag the ETag of the version that the admin saw
     */
    Result sendSoon(Message message, String etag) {
        return release(message, etag, stored -> sentAfter(stored, settings.undo()));
    }

    private Schedule sentAfter(Message stored, Duration wait) {
        return new Schedule(support.now().plus(wait), stored.schedule().zone());
    }

    Duration undo() {
        return settings.undo();
    }

    public Result schedule(Message message) {
        return release(message, null, Message::schedule);
    }

    /**
     * Schedules a draft for its date.
     *
     * @param etag the ETag of the version that the admin saw
     */
    Result schedule(Message message, String etag) {
        return release(message, etag, Message::schedule);
    }

    /**
     * Releases a draft.
     *
     * @param seen the ETag of the only version that may be sent; {@code null} for any
     */
    private Result release(Message message, @Nullable String seen, Function<Message, Schedule> date) {
        Optional<Versioned<Message>> found = messages.findActive(message.ref());
        if (found.isEmpty() || !support.draft(found.get().value())) {
            return Result.NO_DRAFT;
        }
        Message stored = found.get().value();
        if (!problems(stored).isEmpty()) {
            return Result.REFUSED;
        }
        if (seen != null && !seen.equals(found.get().etag())) {
            return Result.CHANGED;
        }
        MessageEditResult editing = messages.edit(
                stored.ref(), found.get().etag(), Messages.Change.of(stored, date.apply(stored), Hold.RELEASED));
        return editing instanceof MessageEditResult.Refused
                ? Result.REFUSED
                : editing instanceof MessageEditResult.Edited ? Result.SUCCEEDED : Result.NO_DRAFT;
    }

    /** Returns whether a message waits for its date and can become a draft again. */
    boolean canUndo(Message message) {
        return message.editable()
                && !support.draft(message)
                && message.audience().occasion() == null;
    }

    /** Returns whether sending starts within the time in which the message can be taken back. */
    boolean startsSoon(Message message) {
        return canUndo(message)
                && !message.paused()
                && !message.due(support.now())
                && message.due(support.now().plus(settings.undo()));
    }

    /**
     * Turns a message whose recipients have not been counted yet back into a draft. A message that was about to start
     * then has no date.
     *
     * @return false if it was too late
     */
    boolean undoSend(MessageRef ref) {
        return ConditionalWrites.retry("message " + ref, () -> {
            Optional<Versioned<Message>> found = messages.findActive(ref).filter(one -> canUndo(one.value()));
            if (found.isEmpty()) {
                return Optional.of(false);
            }
            Message stored = found.get().value();
            Schedule date = stored.due(support.now().plus(settings.undo()))
                    ? new Schedule(support.now(), stored.schedule().zone())
                    : stored.schedule();
            MessageEditResult editing =
                    messages.edit(ref, found.get().etag(), Messages.Change.of(stored, date, Hold.DRAFT));
            return editing instanceof MessageEditResult.Conflict
                    ? Optional.empty()
                    : Optional.of(editing instanceof MessageEditResult.Edited);
        });
    }
}
