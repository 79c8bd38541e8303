package org.azuremail.delivery.range;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.work.signal.HeardSignals;
import org.junit.jupiter.api.Test;

class PartsUnderWayTest {

    private static final MessageRef ONE = new MessageRef(1);
    private static final MessageRef OTHER = new MessageRef(2);

    private final HeardSignals signals = new HeardSignals();
    private final PartsUnderWay parts = new PartsUnderWay(signals);

    @Test
    void aPartThatIsDoneAloneIsToldOfWhenItLeaves() {
        parts.entered(ONE);
        parts.done(ONE);
        assertThat(signals.woken).isEmpty();

        parts.left(ONE);
        assertThat(signals.woken).containsExactly(Messages.DUE_MESSAGES);
    }

    @Test
    void theLastPartToLeaveSignalsThePartsThatOthersHaveDone() {
        parts.entered(ONE);
        parts.entered(ONE);
        parts.done(ONE);
        parts.left(ONE);
        assertThat(signals.woken).isEmpty();

        parts.left(ONE);
        assertThat(signals.woken).hasSize(1);
    }

    @Test
    void onlyDonePartsAreSignalledAndOnlyOnce() {
        parts.entered(ONE);
        parts.left(ONE);
        assertThat(signals.woken).isEmpty();

        parts.entered(ONE);
        parts.done(ONE);
        parts.left(ONE);
        parts.entered(ONE);
        parts.left(ONE);
        assertThat(signals.woken).hasSize(1);
    }

    @Test
    void oneMessageDoesNotWaitForAnother() {
        parts.entered(OTHER);
        parts.entered(ONE);
        parts.done(ONE);

        parts.left(ONE);
        assertThat(signals.woken).hasSize(1);
    }

    @Test
    void partsThatLeaveTogetherLeaveNothingUnsignalled() throws InterruptedException {
        for (int round = 0; round < 500; round++) {
            CountDownLatch begin = new CountDownLatch(1);
            List<Thread> leaving = IntStream.range(0, 4)
                    .mapToObj(part -> new Thread(() -> leave(begin)))
                    .toList();
            leaving.forEach(thread -> parts.entered(ONE));
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
            parts.left(ONE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
