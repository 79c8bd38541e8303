package org.azuremail.web.message;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.Role;
import org.azuremail.delivery.archive.MessageProgress;
import org.azuremail.delivery.archive.MessageProgress.WaitReason;
import org.azuremail.delivery.range.FanOutItem;
import org.azuremail.delivery.range.RangeQueues;
import org.azuremail.id.AsciiWord;
import org.azuremail.mailclass.MailClass;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Messages;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.segment.Segments;
import org.azuremail.storage.CommitHealth;
import org.azuremail.time.Time;
import org.azuremail.web.layout.Moments;
import org.azuremail.work.Switches;
import org.azuremail.work.instance.Instance;
import org.azuremail.work.instance.Instances;
import org.jspecify.annotations.Nullable;
import org.springframework.context.support.MessageSourceAccessor;
import org.springframework.stereotype.Component;

/**
 * Finds the obstacles that keep a message from being sent, and their remedies, in words for people. For a message that
 * is due and not final, this costs one storage call, and one a minute for the live processes. For a message to a
 * segment that has not begun, it costs a few calls; otherwise none.
 */
@Component
public record Obstacles(
        Switches switches,
        RangeQueues ranges,
        Instances instances,
        AzureMailProperties settings,
        Segments segments,
        MessageSourceAccessor texts,
        CommitHealth commitHealth,
        Time time) {

    /** The time before a moment from which seconds are shown, because minutes are too coarse. */
    private static final Duration SOON = Duration.ofMinutes(5);

    private record RequiredWorker(String name, String code, Role role, Predicate<Instance> worksOn) {

        String what(MessageSourceAccessor texts) {
            return texts.getMessage("obstacle.work." + code);
        }
    }

    private static final RequiredWorker DUE_WORKER =
            new RequiredWorker(Messages.DUE_MESSAGES, "due", Role.SCHEDULER, instance -> instance.services()
                    .contains(Messages.DUE_MESSAGES));

    private static final RequiredWorker FAN_OUT_WORKER = queue(FanOutItem.TYPE.queue(), "recipients", Role.SCHEDULER);

    /**
     * An obstacle.
     *
     * @param text whole sentences
     * @param page the address of the page where it can be resolved; may be empty
     */
    public record Obstacle(String text, String page, String pageName) {}

    private Moments moments() {
        return new Moments(settings.zone(), time.instant(), texts);
    }

    private static RequiredWorker queue(String name, String code, Role role) {
        return new RequiredWorker(
                name, code, role, instance -> instance.queues().contains(name));
    }

    /**
     * Returns all obstacles. A final message and one that a person paused have none. A message that is not due has at
     * most a segment whose rules cannot be applied. A cancelled message ignores mail class hours and waiting emails.
     */
    public List<Obstacle> of(Message message, MessageProgress progress) {
        if (message.completedAt() != null || message.paused()) {
            return List.of();
        }
        if (!message.due(time.instant())) {
            return message.editable()
                    ? segments.fault(message.audience()).map(fault -> segment(message.audience(), fault)).stream()
                            .toList()
                    : List.of();
        }
        RequiredWorker sending = queue(ranges.queueOf(message), "sending", Role.SENDER);
        List<RequiredWorker> needed = message.status() == MessageStatus.PROCESSING
                ? List.of(DUE_WORKER, sending)
                : List.of(DUE_WORKER, FAN_OUT_WORKER, sending);
        List<Obstacle> found = new ArrayList<>();
        if (commitHealth.isFailing()) {
            found.add(new Obstacle(text("obstacle.not-saved"), "", ""));
        }
        found.addAll(stoppedOrAbsent(needed));
        if (message.status() != MessageStatus.CANCELLED) {
            outsideHours(ranges.classOf(message)).ifPresent(found::add);
            Waits.of(progress.waits(), settings.zone()).forEach(wait -> found.add(waiting(wait)));
        }
        return found;
    }

    private Obstacle segment(Audience audience, Reason fault) {
        return new Obstacle(
                text("obstacle.segment", fault.words()),
                "/segments/" + audience.list() + "/" + audience.segment(),
                text("label.segment"));
    }

    private Optional<Obstacle> outsideHours(MailClass mailClass) {
        Instant now = time.instant();
        Duration closed = mailClass.hours().closedFor(now);
        return closed.isZero()
                ? Optional.empty()
                : Optional.of(new Obstacle(text("obstacle.hours", mailClass, when(now.plus(closed), now)), "", ""));
    }

    private List<Obstacle> stoppedOrAbsent(List<RequiredWorker> needed) {
        var stops = switches.stops().stream().collect(Collectors.toMap(Switches.Stop::name, Function.identity()));
        List<Instance> live = Stream.concat(instances.live().stream(), instances.self().stream())
                .toList();
        return needed.stream()
                .flatMap(one -> stops.containsKey(one.name())
                        ? Stream.of(stopped(one, stops.get(one.name())))
                        : absent(one, live).stream())
                .toList();
    }

    private Obstacle stopped(RequiredWorker needed, Switches.Stop stop) {
        return new Obstacle(
                text(
                        "obstacle.stopped",
                        needed.what(texts),
                        stop.by(),
                        moments().named(stop.at())),
                "/operations",
                text("nav.group.operations"));
    }

    private Optional<Obstacle> absent(RequiredWorker needed, List<Instance> live) {
        return live.stream().anyMatch(needed.worksOn())
                ? Optional.empty()
                : Optional.of(new Obstacle(
                        text("obstacle.absent", needed.what(texts), AsciiWord.of(needed.role())),
                        "/operations",
                        text("nav.group.operations")));
    }

    private Obstacle waiting(Waits.WaitText wait) {
        Instant now = time.instant();
        Instant until = wait.until();
        boolean known = until != null && until.isAfter(now);
        String words = known
                ? text("obstacle.waits-until", when(Objects.requireNonNull(until), now), wait.why())
                : text("obstacle.waits", wait.why());
        return new Obstacle(words, wait.page(), wait.label().isEmpty() ? "" : text(wait.label()));
    }

    private String when(Instant until, Instant now) {
        return until.isBefore(now.plus(SOON))
                ? moments().exactly(until)
                : moments().named(until);
    }

    private String text(String code, Object... values) {
        return texts.getMessage(code, values);
    }

    /**
     * The distinct reasons why emails wait. The parts of a message record the same reason in different words, with
     * their own moments and details. While a breaker is open, its reason replaces those that led to it. If several
     * providers are on hold, emails continue when the first of them is used again.
     */
    private static final class Waits {

        /**
         * @param until when emails continue; {@code null} if unknown
         * @param page the address of the page where the reason can be resolved; may be empty
         * @param label the code of the text of the link to that page; may be empty
         */
        record WaitText(String why, @Nullable Instant until, String page, String label) {}

        /** A transport that is on hold. */
        private record OnHold(Reason cause, @Nullable Instant until) {}

        private static final Set<ReasonCode> LIMITS =
                EnumSet.of(ReasonCode.RATE_SECOND, ReasonCode.RATE_MINUTE, ReasonCode.RATE_HOUR, ReasonCode.RATE_DAY);

        private static final Set<ReasonCode> LIMITS_OF_LISTS =
                EnumSet.of(ReasonCode.LIST_RATE_MINUTE, ReasonCode.LIST_RATE_HOUR);

        private Waits() {}

        static Collection<WaitText> of(List<WaitReason> waits, ZoneId zone) {
            Map<String, OnHold> byTransport = new LinkedHashMap<>();
            Map<String, WaitText> others = new LinkedHashMap<>();
            Map<String, WaitText> limits = new LinkedHashMap<>();
            for (WaitReason wait : waits) {
                Reason why = wait.reason();
                List<Reason> parts = parts(why).toList();
                if (parts.stream().allMatch(part -> part.is(ReasonCode.LEFT_ALONE))) {
                    parts.forEach(part ->
                            byTransport.merge(part.text(0), new OnHold(part.cause(2), wait.until()), Waits::later));
                } else if (LIMITS.stream().anyMatch(why::is)) {
                    limits.put(why.words(), new WaitText(why.words(zone), wait.until(), "/settings", "nav.sending"));
                } else if (LIMITS_OF_LISTS.stream().anyMatch(why::is)) {
                    String form = "/lists/" + why.text(0) + "/edit";
                    limits.put(why.words(), new WaitText(why.words(zone), wait.until(), form, "edit.list"));
                } else {
                    others.put(why.words(), new WaitText(why.words(zone), wait.until(), "", ""));
                }
            }
            List<WaitText> told =
                    new ArrayList<>(byTransport.isEmpty() ? others.values() : List.of(all(byTransport.values(), zone)));
            told.addAll(limits.values());
            return told;
        }

        /** Returns the reasons why an email waits: if several transports could not take it, the reason of each. */
        private static Stream<Reason> parts(Reason why) {
            return why.is(ReasonCode.BOTH)
                    ? Stream.of(why.cause(0), why.cause(1)).flatMap(Waits::parts)
                    : Stream.of(why);
        }

        private static WaitText all(Collection<OnHold> providers, ZoneId zone) {
            Reason why = providers.stream().map(OnHold::cause).distinct().reduce(Reason.NONE, Reason::and);
            Instant until = providers.stream()
                    .map(OnHold::until)
                    .filter(Objects::nonNull)
                    .min(Comparator.naturalOrder())
                    .orElse(null);
            return new WaitText(why.words(zone), until, "/operations", "nav.group.operations");
        }

        /** Returns the report with the later end: a breaker that opens again waits longer. */
        private static OnHold later(OnHold one, OnHold other) {
            Instant until = other.until();
            return until != null && (one.until() == null || until.isAfter(one.until())) ? other : one;
        }
    }
}
