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
        rows.add(row);
        recorded.add(Recorded.of(row, outcome, detail, time.instant()));
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    List<WaitingRow> rows() {
        return rows;
    }

    List<Recorded> recorded() {
        return recorded;
    }
}
