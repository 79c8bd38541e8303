package org.azuremail.work.signal;

import java.time.Duration;

/**
 * A message from one process to another. Equal signals that wait to be sent are sent once.
 *
 * @param kind the subject of the signal
 * @param name the name of the queue or the scheduled service; empty if the kind has none
 * @param lasts how long the signal's statement holds, in whole seconds; zero if the kind has no duration
 */
public record Signal(Kind kind, String name, Duration lasts) {

    /** The subject of a signal, and its receivers. */
    public enum Kind {
        /** Items wait on a queue. Sent to one of the processes that handle them. */
        WORK,
        /** A scheduled service has something to do. Sent to the process that runs it, or to all that may run it. */
        RUN,
        /** Messages are active. Sent to all processes that handle items. */
        MESSAGES_ACTIVE,
        /** A queue or a service was stopped, started or tuned. Sent to all processes. */
        SWITCHES,
        /** A process has started. Sent to all processes. */
        INSTANCES,
        /** A request for a greeting, with the sender's id and the address at which it listens. */
        GREETING,
        /** The answer to a greeting, with the id of the process that sends it. */
        GREETING_BACK
    }

    private static final char AT = '@';

    /** The longest name: enough for an instance's id and an address. */
    private static final int MAX_CHARACTERS = 250;

    /** The longest duration that a signal may have. It is longer than any sender needs. */
    private static final Duration MAX_DURATION = Duration.ofHours(1);

    public Signal {
        if (lasts.isNegative() || lasts.compareTo(MAX_DURATION) > 0 || name.length() > MAX_CHARACTERS) {
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

    /**
     * Returns a signal that asks the receiver to send a greeting back. Only an answer shows that signals reach this
     * process.
     */
    public static Signal greeting(String instance, String address) {
        return new Signal(Kind.GREETING, instance + AT + address, Duration.ZERO);
    }

    public static Signal greetingBack(String instance) {
        return new Signal(Kind.GREETING_BACK, instance, Duration.ZERO);
    }

    /** Returns the id of the instance that asks for a greeting. */
    public String greeter() {
        return name.substring(0, Math.max(0, name.indexOf(AT)));
    }

    /** Returns the address at which the greeter listens. */
    public String greeterAddress() {
        return name.substring(name.indexOf(AT) + 1);
    }

    public static Signal of(Kind kind) {
        return new Signal(kind, "", Duration.ZERO);
    }

    /** The result of a signal at one process. */
    public enum Answer {
        /** The process does the work. */
        TAKEN,
        /** The process received the signal, but another one may have to do the work. */
        HEARD,
        /** The signal does not concern the process. */
        NOT_MINE,
        /** The process did not answer in time, or another process listens at its address. */
        SILENT
    }
}
