package org.azuremail.sender;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.azuremail.delivery.range.Range;
import org.azuremail.limit.MessageShare;
import org.azuremail.limit.Wait;
import org.azuremail.list.ListName;
import org.azuremail.route.Route;

/** The tokens that the lots of one attempt need: of the list's own limits and of the transport's. For one thread. */
final class LotTokens {

    private final SenderParts parts;
    private final HeldRange held;

    /** Lists whose limit was reached in this attempt. */
    private final Map<ListName, Range.Delay> full = new HashMap<>();

    LotTokens(SenderParts parts, HeldRange held) {
        this.parts = parts;
        this.held = held;
    }

    /** Returns whether the emails of this list wait; those of other lists in the same range do not. */
    boolean waits(ListName list) {
        return full.containsKey(list);
    }

    /** The delay of the range when the emails of all lists that are left in it wait: the shortest one. */
    Optional<Range.Delay> delay() {
        return full.values().stream().min(Comparator.comparing(delay -> Objects.requireNonNull(delay.notBefore())));
    }

    /** The most emails that a lot may have. */
    int most(ListName list, Route route, MessageShare share) {
        return parts.limits().atOnce(list, route.atOnce(Integer.MAX_VALUE, share));
    }

    /** Those of the list come first, because they can be given back: zero when the lot may go. */
    Wait take(Preparation.Lot lot, MessageShare share) {
        int mails = lot.rows().size();
        ListName list = lot.list();
        Instant now = parts.time().instant();
        Wait ofList = parts.limits().take(list, mails);
        if (!ofList.isZero()) {
            if (parts.limits().atOnce(list, mails) >= mails) {
                full.put(list, parts.limits().delay(list, held.key(), mails, ofList));
            }
            return ofList;
        }
        Wait ofTransport = lot.route().limit(share).take(mails);
        if (!ofTransport.isZero()) {
            parts.limits().giveBack(list, mails, now);
        }
        return ofTransport;
    }
}
