package org.azuremail.work.signal;

import java.time.Duration;

/**
 * A message from one process to another. Equal signals that wait to be sent are sent once.
 *
 * @param kind what it is about
 * @param name of the queue or the scheduled service; empty where there is none
 * @param lasts for how long it holds, in whole seconds; zero where that means nothing
 */
public record Signal(Kind kind, String name, Duration lasts) {

    /** The subject of a signal, and its receivers. */
    public enum Kind {
        /** Items wait on a queue: to one of those who handle them. */
        WORK,
        /** A scheduled service has something to do: to the process that runs it, or to all that may. */
        RUN,
        /** Messages are under way: to all who handle items. */
        MESSAGES_ACTIVE,
        /** Somebody stopped or started a queue or a service: to all. */
        SWITCHES,
        /** A process has come: to all. */
        INSTANCES,
        /** A process asks for a greeting: its id and where it listens. */
        GREETING,
        /** The greeting that was asked for, with the id of the process that gives it. */
        GREETING_BACK
    }

    private static final char AT = '@';

    /** Longer than any name of ours: an instance's id and an address. */
    private static final int MOST_CHARACTERS = 250;

    /** Longer than anybody has reason to say. */
    private static final Duration LONGEST = Duration.ofHours(1);

    public Signal {
        if (lasts.isNegative() || lasts.compareTo(LONGEST) > 0 || name.length() > MOST_CHARACTERS) {
            throw new IllegalArgumentException("no signal lasts for " + lasts + " or has a name like that");
        }
    }

    public static Signal work(String queue) {
        return new Signal(Kind.WORK, queue, Duration.ZERO);
    }

    public static Signal run(String service) {
        return new Signal(Kind.RUN, service, Duration.ZERO);
    }

    public static Signal messagesActive(Duration lasts) {
        return new Signal(Kind.MESSAGES_ACTIVE, "", lasts);
    }

    /** Asks for an answer from there: only an answer shows that signals arrive here. */
    public static Signal greeting(String instance, String address) {
        return new Signal(Kind.GREETING, instance + AT + address, Duration.ZERO);
    }

    public static Signal greetingBack(String instance) {
        return new Signal(Kind.GREETING_BACK, instance, Duration.ZERO);
    }

    /** The instance that asks for a greeting. */
    public String greeter() {
        return name.substring(0, Math.max(0, name.indexOf(AT)));
    }

    /** The address at which the greeter listens. */
    public String greeterAddress() {
        return name.substring(name.indexOf(AT) + 1);
    }

    public static Signal of(Kind kind) {
        return new Signal(kind, "", Duration.ZERO);
    }

    /** The result of a signal at one process. */
    public enum Answer {
        /** It does what is to be done. */
        TAKEN,
        /** It heard, but perhaps another one has to do it. */
        HEARD,
        /** It has nothing to do with that. */
        NOT_MINE,
        /** It did not answer in time, or is another process by now. */
        SILENT
    }
}
