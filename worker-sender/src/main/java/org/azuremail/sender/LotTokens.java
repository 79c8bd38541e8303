package org.azuremail.sender;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.azuremail.delivery.range.Range;
import org.azuremail.limit.MessageShare;
import org.azuremail.limit.RateLimitWait;
import org.azuremail.list.ListName;

/**
 * Takes the tokens that the lots of one attempt need, from the list's own limits and from the transport's. Not safe for
 * use from several threads.
 */
final class LotTokens {

    private final SenderContext context;
    private final HeldRange held;

    /** The lists whose limit was reached in this attempt. */
    private final Map<ListName, Range.Delay> exhausted = new HashMap<>();

    LotTokens(SenderContext context, HeldRange held) {
        this.context = context;
        this.held = held;
    }

    /**
     * Returns whether this list's limit was reached, so that its emails wait. Emails of other lists in the range do not
     * wait.
     */
    boolean isLimitReached(ListName list) {
        return exhausted.containsKey(list);
    }

    /** Returns the shortest delay, used when the emails of all remaining lists in the range wait. */
    Optional<Range.Delay> delay() {
        return exhausted.values().stream()
                .min(Comparator.comparing(delay -> Objects.requireNonNull(delay.notBefore())));
    }

    /** Takes the list's tokens first, because they can be returned. A wait of zero means that the lot may leave. */
    RateLimitWait take(Preparation.Lot lot, MessageShare share) {
        int mails = lot.rows().size();
        ListName list = lot.list();
        Instant now = context.time().instant();
        RateLimitWait ofList = context.limits().take(list, mails);
        if (!ofList.isZero()) {
            if (context.limits().maxAtOnce(list, mails) >= mails) {
                exhausted.put(list, context.limits().delay(list, held.key(), mails, ofList));
            }
            return ofList;
        }
        RateLimitWait ofTransport = lot.route().limit(share).take(mails);
        if (!ofTransport.isZero()) {
            context.limits().giveBack(list, mails, now);
        }
        return ofTransport;
    }
}
