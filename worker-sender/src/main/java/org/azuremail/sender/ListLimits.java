package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.RangeKey;
import org.azuremail.limit.Limits;
import org.azuremail.limit.RateLimit;
import org.azuremail.limit.RateLimitWait;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.Storage;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;

/**
 * The lists' own limits for the emails of messages, as their rows define them. The row of a list with a limit is read
 * before tokens are taken, so that a change takes effect at once. The row of a list without a limit is read with the
 * content of a lot, so that a new limit takes effect within half a minute. Safe for use from many threads.
 */
final class ListLimits {

    private final ListStore lists;
    private final Storage storage;
    private final Time time;
    private final Map<ListName, ListLimit> limited = new ConcurrentHashMap<>();

    private record ListLimit(Limits limits, RateLimit rate, Pacer pacer) {

        ListLimit with(Limits now) {
            rate.overrideLimits(now);
            return now.equals(limits) ? this : new ListLimit(now, rate, new Pacer());
        }

        Duration timeFor(int mails) {
            return Durations.max(
                    timeFor(mails, Duration.ofMinutes(1), limits.perMinute()),
                    timeFor(mails, Duration.ofHours(1), limits.perHour()));
        }

        private static Duration timeFor(int mails, Duration period, int limit) {
            return limit == 0 ? Duration.ZERO : period.multipliedBy(mails).dividedBy(limit);
        }
    }

    ListLimits(ListStore lists, Storage storage, Time time) {
        this.lists = lists;
        this.storage = storage;
        this.time = time;
    }

    void adopt(MailingList list) {
        if (list.limits().none()) {
            limited.remove(list.name());
        } else {
            limited.compute(
                    list.name(), (name, known) -> (known == null ? unlimited(name) : known).with(list.limits()));
        }
    }

    private ListLimit unlimited(ListName name) {
        return new ListLimit(Limits.NONE, RateLimit.ofList(storage, time, name.value()), new Pacer());
    }

    /** Returns how many of these emails to hand over at once; at least 1. */
    int maxAtOnce(ListName list, int mails) {
        ListLimit known = limited.get(list);
        return known == null ? mails : known.rate().maxAtOnce(mails);
    }

    /**
     * Takes a token for each email, all or none. A wait of zero means that the list's limits let the emails through.
     */
    RateLimitWait take(ListName list, int mails) {
        if (!limited.containsKey(list)) {
            return RateLimitWait.NONE;
        }
        lists.findValue(list).ifPresent(this::adopt);
        ListLimit known = limited.get(list);
        return known == null ? RateLimitWait.NONE : known.rate().take(mails);
    }

    /** Returns unusable tokens that were taken at the given time. */
    void giveBack(ListName list, int mails, Instant takenAt) {
        ListLimit known = limited.get(list);
        if (known != null) {
            known.rate().giveBack(mails, takenAt);
        }
    }

    /**
     * Returns the delay of a range that got no tokens for this many emails, with the reason that its message's page
     * shows.
     */
    Range.Delay delay(ListName list, RangeKey range, int mails, RateLimitWait wait) {
        Instant now = time.instant();
        Instant free = now.plus(wait.duration());
        ListLimit known = limited.get(list);
        if (known == null) {
            return new Range.Delay(free, Reason.NONE);
        }
        Reason reason = wait.reason().is(ReasonCode.RATE_MINUTE)
                ? Reason.of(
                        ReasonCode.LIST_RATE_MINUTE,
                        list.value(),
                        known.limits().perMinute())
                : Reason.of(
                        ReasonCode.LIST_RATE_HOUR, list.value(), known.limits().perHour());
        return new Range.Delay(known.pacer().next(range, now, free, known.timeFor(mails)), reason);
    }
}
