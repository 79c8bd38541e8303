package org.azuremail.delivery.range;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.work.signal.HeardSignals;
import org.junit.jupiter.api.Test;

class InFlightPartsTest {

    private static final MessageRef ONE = new MessageRef(1);
    private static final MessageRef OTHER = new MessageRef(2);

    private final HeardSignals signals = new HeardSignals();
    private final InFlightParts parts = new InFlightParts(signals);

    @Test
    void aPartThatIsDoneAloneIsToldOfWhenItLeaves() {
        parts.begin(ONE);
        parts.done(ONE);
        assertThat(signals.woken).isEmpty();

        parts.end(ONE);
        assertThat(signals.woken).containsExactly(Messages.DUE_MESSAGES);
    }

    @Test
    void theLastPartToLeaveSignalsThePartsThatOthersHaveDone() {
        parts.begin(ONE);
        parts.begin(ONE);
        parts.done(ONE);
        parts.end(ONE);
        assertThat(signals.woken).isEmpty();

        parts.end(ONE);
        assertThat(signals.woken).hasSize(1);
    }

    @Test
    void onlyDonePartsAreSignalledAndOnlyOnce() {
        parts.begin(ONE);
        parts.end(ONE);
        assertThat(signals.woken).isEmpty();

        parts.begin(ONE);
        parts.done(ONE);
        parts.end(ONE);
        parts.begin(ONE);
        parts.end(ONE);
        assertThat(signals.woken).hasSize(1);
    }

    @Test
    void oneMessageDoesNotWaitForAnother() {
        parts.begin(OTHER);
        parts.begin(ONE);
        parts.done(ONE);

        parts.end(ONE);
        assertThat(signals.woken).hasSize(1);
    }

    @Test
    void partsThatLeaveTogetherLeaveNothingUnsignalled() throws InterruptedException {
        for (int round = 0; round < 500; round++) {
            CountDownLatch begin = new CountDownLatch(1);
            List<Thread> leaving = IntStream.range(0, 4)
                    .mapToObj(part -> new Thread(() -> leave(begin)))
                    .toList();
            leaving.forEach(thread -> parts.begin(ONE));
            leaving.forEach(Thread::start);
            signals.woken.clear();
            begin.countDown();
            for (Thread thread : leaving) {
                thread.join();
            }
            assertThat(signals.woken).hasSize(1);
        }
    }

    private void leave(CountDownLatch begin) {
        try {
            begin.await();
            parts.done(ONE);
            parts.end(ONE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
