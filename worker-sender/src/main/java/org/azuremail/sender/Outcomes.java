package org.azuremail.sender;

import java.util.ArrayList;
import java.util.List;
import org.azuremail.delivery.Recorded;
import org.azuremail.delivery.WaitingRow;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/** Outcomes about to be recorded, and the e-mail rows that they end, in the same order. */
final class Outcomes {

    private final Time time;
    private final List<WaitingRow> rows = new ArrayList<>();
    private final List<Recorded> recorded = new ArrayList<>();

    Outcomes(Time time) {
        this.time = time;
    }

    void add(WaitingRow row, Outcome outcome, Reason reason) {
        add(row, outcome, reason, null);
    }

    /** @param transport who was asked, where there are several */
    void add(WaitingRow row, Outcome outcome, Reason reason, @Nullable String transport) {
        rows.add(row);
        recorded.add(Recorded.of(row, outcome, reason, time.instant()).by(transport));
    }

    /** @param transport who took it, where there are several */
    void sent(WaitingRow row, @Nullable String providerId, @Nullable String transport) {
        rows.add(row);
        recorded.add(Recorded.of(row, Outcome.SENT, providerId, time.instant()).by(transport));
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    long count(Outcome outcome) {
        return recorded.stream().filter(one -> one.outcome() == outcome).count();
    }

    List<WaitingRow> rows() {
        return rows;
    }

    List<Recorded> recorded() {
        return recorded;
    }
}
