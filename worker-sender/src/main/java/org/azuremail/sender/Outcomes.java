package org.azuremail.sender;

import java.util.ArrayList;
import java.util.List;
import org.azuremail.delivery.Recorded;
import org.azuremail.delivery.WaitingRow;
import org.azuremail.message.Outcome;
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

    void add(WaitingRow row, Outcome outcome, @Nullable String detail) {
        add(row, outcome, detail, null);
    }

    /** @param transport who was asked, where there are several */
    void add(WaitingRow row, Outcome outcome, @Nullable String detail, @Nullable String transport) {
        rows.add(row);
        recorded.add(Recorded.of(row, outcome, detail, time.instant()).by(transport));
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
