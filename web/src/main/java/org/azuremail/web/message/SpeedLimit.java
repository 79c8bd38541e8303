package org.azuremail.web.message;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.azuremail.limit.RateLimits;
import org.azuremail.sending.TransportDirectory;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The mails a second that all transports together may send. Read once in half a minute, however many look. */
@Component
class SpeedLimit {

    private static final Duration AGAIN = Duration.ofSeconds(30);

    private record Known(OptionalInt perSecond, Instant at) {}

    private final RateLimits limits;
    private final TransportDirectory mail;
    private final Time time;
    private volatile @Nullable Known known;

    SpeedLimit(RateLimits limits, TransportDirectory mail, Time time) {
        this.limits = limits;
        this.mail = mail;
        this.time = time;
    }

    /** Empty when one of them has no limit a second. */
    OptionalInt perSecond() {
        Instant now = time.instant();
        Known last = known;
        if (last == null || Duration.between(last.at(), now).abs().compareTo(AGAIN) > 0) {
            last = new Known(read(), now);
            known = last;
        }
        return last.perSecond();
    }

    private OptionalInt read() {
        List<Integer> each = mail.all().stream()
                .map(one -> limits.of(one.name()).limits().perSecond())
                .toList();
        return each.contains(0)
                ? OptionalInt.empty()
                : OptionalInt.of(each.stream().mapToInt(Integer::intValue).sum());
    }
}
