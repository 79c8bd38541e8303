package org.azuremail.web.suppression;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.suppression.Suppression.SuppressionReason;
import org.azuremail.suppression.Suppressions;
import org.azuremail.time.Time;
import org.springframework.stereotype.Component;

/** The actions of admins on suppressions, for the pages and the API. */
@Component
public record SuppressionChanges(Suppressions suppressions, Time time) {

    /** The most addresses that one request suppresses. */
    public static final int MAX_AT_ONCE = 10_000;

    public static final int MAX_REASON_LENGTH = 500;

    /**
     * Suppresses addresses. A single address is recorded as an admin's decision, several as an import. Repeating the
     * call changes nothing.
     *
     * @param at the time of the request; an address that was released later stays released
     * @param refused receives each invalid address with its line; nothing is suppressed then
     * @return the number of addresses that were not suppressed before; empty when an address was refused
     */
    public Optional<Integer> add(
            List<String> typed, Instant at, String by, String why, BiConsumer<Integer, String> refused) {
        Map<String, EmailAddress> addresses = new LinkedHashMap<>();
        boolean wrong = false;
        for (int line = 1; line <= typed.size(); line++) {
            String text = typed.get(line - 1).strip();
            Optional<EmailAddress> address = EmailAddress.parse(text);
            address.ifPresent(found -> addresses.put(found.folded(), found));
            if (address.isEmpty() && !text.isEmpty()) {
                wrong = true;
                refused.accept(line, text);
            }
        }
        if (wrong) {
            return Optional.empty();
        }
        SuppressionReason reason =
                addresses.size() == 1 ? SuppressionReason.SUPPRESSED_BY_ADMIN : SuppressionReason.SUPPRESSED_IMPORTED;
        int added = 0;
        for (EmailAddress address : addresses.values()) {
            added += suppressions.suppress(address, reason, at, by, why) ? 1 : 0;
        }
        return Optional.of(added);
    }

    /** @return false when the address is not suppressed */
    public boolean release(EmailAddress address, String by, String why) {
        return suppressions.release(address, time.instant(), by, why);
    }
}
