package org.azuremail.route;

import java.util.concurrent.atomic.LongAdder;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;

/** The emails that providers took from this process, and refused, since its start. Safe for use from many threads. */
public final class EmailCounts {

    private final LongAdder accepted = new LongAdder();
    private final LongAdder refused = new LongAdder();

    void add(HandOverResult handOver) {
        for (Answer answer : handOver.answers()) {
            if (answer instanceof Answer.Accepted) {
                accepted.increment();
            } else if (answer instanceof Answer.Refused) {
                refused.increment();
            }
        }
    }

    public long accepted() {
        return accepted.sum();
    }

    public long refused() {
        return refused.sum();
    }
}
