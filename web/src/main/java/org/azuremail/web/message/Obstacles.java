package org.azuremail.web.message;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.delivery.FanOutItem;
import org.azuremail.delivery.MailItem;
import org.azuremail.delivery.MessageProgress;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Messages;
import org.azuremail.time.Time;
import org.azuremail.web.layout.Moments;
import org.azuremail.work.Switches;
import org.azuremail.work.instance.Instance;
import org.azuremail.work.instance.Instances;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * What keeps a message from going on, and what to do about it, in words of people. Costs one storage call, and one a minute
 * for who is alive, while a message is due and not final; otherwise nothing.
 */
@Component
public class Obstacles {

    /** Until then minutes are too coarse. */
    private static final Duration SOON = Duration.ofMinutes(5);

    /** Work that a message needs. */
    private record Needed(String name, String what, String role, Function<Instance, Boolean> does) {}

    private static final List<Needed> TAKING_UP = List.of(
            new Needed(
                    Messages.DUE_MESSAGES,
                    "Taking up and finishing messages",
                    "scheduler",
                    instance -> instance.services().contains(Messages.DUE_MESSAGES)),
            queue(FanOutItem.TYPE.queue(), "Counting recipients", "scheduler"));

    private static final List<Needed> GOING_OUT =
            List.of(TAKING_UP.get(0), queue(MailItem.TYPE.queue(), "Sending list mail", "sender"));

    private final Switches switches;
    private final Instances instances;
    private final Moments moments;
    private final Time time;

    Obstacles(Switches switches, Instances instances, AzureMailProperties settings, Time time) {
        this.switches = switches;
        this.instances = instances;
        this.moments = new Moments(settings.zone());
        this.time = time;
    }

    /**
     * One thing in the way.
     *
     * @param text whole sentences
     * @param page where it can be seen to; may be empty
     */
    public record Obstacle(String text, String page, String pageName) {}

    private static Needed queue(String name, String what, String role) {
        return new Needed(name, what, role, instance -> instance.queues().contains(name));
    }

    /** All of them; none for a message that is not due, paused by a person, or final. A cancelled one waits for nobody. */
    public List<Obstacle> of(Message message, MessageProgress progress) {
        if (message.completedAt() != null || message.paused() || !message.due(time.instant())) {
            return List.of();
        }
        List<Needed> needed = new ArrayList<>(message.status() == MessageStatus.PROCESSING ? List.of() : TAKING_UP);
        GOING_OUT.stream().filter(one -> !needed.contains(one)).forEach(needed::add);
        List<Obstacle> found = new ArrayList<>(inTheWay(needed));
        if (message.status() != MessageStatus.CANCELLED) {
            Waits.of(progress.waits()).forEach(wait -> found.add(waiting(wait)));
        }
        return found;
    }

    private List<Obstacle> inTheWay(List<Needed> needed) {
        var stops = switches.stops().stream().collect(Collectors.toMap(Switches.Stop::name, Function.identity()));
        List<Instance> live = Stream.concat(instances.live().stream(), instances.self().stream())
                .toList();
        return needed.stream()
                .map(one -> stops.containsKey(one.name()) ? stopped(one, stops.get(one.name())) : absent(one, live))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<Obstacle> stopped(Needed needed, Switches.Stop stop) {
        return Optional.of(new Obstacle(
                needed.what() + " was stopped by " + stop.by() + " on " + moments.named(stop.at())
                        + ". Nothing is lost: it goes on as soon as somebody presses Start there.",
                "/operations",
                "Operations"));
    }

    private static Optional<Obstacle> absent(Needed needed, List<Instance> live) {
        return live.stream().anyMatch(needed.does()::apply)
                ? Optional.empty()
                : Optional.of(new Obstacle(
                        needed.what() + ": no process that does it is alive. Start one with the role " + needed.role()
                                + ".",
                        "/operations",
                        "Operations"));
    }

    private Obstacle waiting(Waits.Told wait) {
        String text = "Mails wait" + until(wait.until()) + ": " + wait.why() + ". They go on by themselves.";
        return new Obstacle(text, wait.page(), wait.pageName());
    }

    private String until(@Nullable Instant until) {
        Instant now = time.instant();
        if (until == null || !until.isAfter(now)) {
            return "";
        }
        boolean soon = until.isBefore(now.plus(SOON));
        return " until " + (soon ? moments.exactly(until) : moments.named(until));
    }
}
