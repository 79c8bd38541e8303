package org.azuremail.web.message;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.azuremail.content.MessageBodies.Problem;
import org.azuremail.greeting.Greeting;
import org.azuremail.greeting.GreetingReason;
import org.azuremail.greeting.Greetings;
import org.azuremail.message.Message;
import org.azuremail.message.Messages;
import org.azuremail.message.Messages.Editing;
import org.azuremail.message.Messages.Hold;
import org.azuremail.message.Schedule;
import org.azuremail.segment.Segments;
import org.azuremail.storage.Versioned;
import org.springframework.stereotype.Component;

/** Lets a draft go out, at once or at its date, with one write that also sees that it can be sent. */
@Component
public class DraftSending {

    private final MessageDesk desk;
    private final Messages messages;
    private final Segments segments;
    private final Greetings greetings;

    DraftSending(MessageDesk desk, Messages messages, Segments segments, Greetings greetings) {
        this.desk = desk;
        this.messages = messages;
        this.segments = segments;
        this.greetings = greetings;
    }

    /**
     * Returns the reasons why the draft cannot be sent as it is; empty when it can. The text of a greeting goes to those whose
     * day it is, and to nobody else.
     */
    public List<Problem> problems(Message message) {
        List<Problem> problems = new ArrayList<>(messages.problems(message));
        if (problems.isEmpty()) {
            segments.fault(message.audience()).ifPresent(fault -> problems.add(new Problem("segment", fault)));
        }
        greeting(message).ifPresent(name -> problems.add(new Problem("greeting", GreetingReason.GREETING_SENDS, name)));
        return problems;
    }

    /** The name of a greeting that sends this text. Without the text it would greet nobody. */
    public Optional<String> greeting(Message message) {
        return greetings.all().stream()
                .map(Versioned::value)
                .filter(greeting -> greeting.text().equals(message.ref()))
                .map(Greeting::name)
                .findFirst();
    }

    /** The result of sending a draft. */
    public enum Result {
        GOES,
        /** It is none, or somebody else was first. */
        NO_DRAFT,
        /** It cannot go out as it is. */
        REFUSED
    }

    /** Sends a draft now. Doing it twice sends once. */
    public Result send(Message message) {
        return release(
                message, stored -> new Schedule(desk.now(), stored.schedule().zone()));
    }

    /** Lets a draft wait for its date. */
    public Result schedule(Message message) {
        return release(message, Message::schedule);
    }

    private Result release(Message message, Function<Message, Schedule> date) {
        Optional<Versioned<Message>> found = messages.findActive(message.ref());
        if (found.isEmpty() || !desk.draft(found.get().value())) {
            return Result.NO_DRAFT;
        }
        Message stored = found.get().value();
        if (!problems(stored).isEmpty()) {
            return Result.REFUSED;
        }
        Messages.Change released = new Messages.Change(
                stored.audience(),
                stored.subject(),
                null,
                null,
                null,
                null,
                date.apply(stored),
                stored.onUnknown(),
                null,
                Hold.RELEASED);
        Editing editing = messages.edit(stored.ref(), found.get().etag(), released);
        return editing instanceof Editing.Refused
                ? Result.REFUSED
                : editing instanceof Editing.Edited ? Result.GOES : Result.NO_DRAFT;
    }
}
