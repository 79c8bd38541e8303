package org.azuremail.web.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.azuremail.attention.SendingStatus;
import org.azuremail.delivery.archive.MessageProgress;
import org.azuremail.message.MessageRef;
import org.azuremail.web.message.SendingRate;
import org.azuremail.web.operations.Amounts;
import org.jspecify.annotations.Nullable;

/**
 * The rates of the messages on the page, calculated from what earlier requests of the same page observed
 * ({@link SendingRate}).
 *
 * @param paces the rates of messages whose progress is known
 * @param seen the observations that the page sends with its next request
 */
record Rates(Map<MessageRef, Rate> paces, String seen) {

    private static final String BETWEEN = "~";

    private static final Rate NOT_KNOWN = new Rate(0, 0, "");

    /**
     * A sending rate.
     *
     * @param second recipients a second; 0 when it is below one or unknown
     * @param minute recipients a minute; 0 when it is unknown
     * @param left the remaining time; empty when it is unknown
     */
    record Rate(long second, long minute, String left) {

        static Rate of(double perSecond, MessageProgress progress) {
            long seconds = Math.max(1, Math.round(progress.waiting() / perSecond));
            boolean known = progress.walked() && progress.waiting() > 0;
            return new Rate(
                    (long) perSecond,
                    Math.max(1, Math.round(perSecond * 60)),
                    known ? Amounts.time(Duration.ofSeconds(seconds)) : "");
        }
    }

    public Rate of(MessageRef ref) {
        return paces.getOrDefault(ref, NOT_KNOWN);
    }

    static Rates of(List<SendingStatus.Sending> sending, @Nullable String seen, Instant at) {
        Map<String, String> before = read(seen);
        Map<MessageRef, Rate> paces = new HashMap<>();
        Map<MessageRef, String> next = new HashMap<>();
        for (SendingStatus.Sending one : sending) {
            MessageProgress progress = one.progress();
            if (progress != null) {
                MessageRef ref = one.message().ref();
                SendingRate.Sample now =
                        new SendingRate.Sample(at, progress.counts().sum());
                SendingRate rate = SendingRate.read(before.get(ref.toString()), now);
                rate.perSecond(now).ifPresent(fast -> paces.put(ref, Rate.of(fast, progress)));
                next.put(ref, rate.nextSamples(now));
            }
        }
        return new Rates(
                paces,
                next.entrySet().stream()
                        .map(entry -> entry.getKey() + "-" + entry.getValue())
                        .sorted()
                        .collect(Collectors.joining(BETWEEN)));
    }

    private static Map<String, String> read(@Nullable String seen) {
        Map<String, String> before = new HashMap<>();
        for (String one : (seen == null ? "" : seen).split(BETWEEN)) {
            int end = one.indexOf('-');
            if (end > 0) {
                before.put(one.substring(0, end), one.substring(end + 1));
            }
        }
        return before;
    }
}
