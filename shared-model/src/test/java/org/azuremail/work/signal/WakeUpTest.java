package org.azuremail.work.signal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WakeUpTest {

    /** A semaphore that is signalled at the moment when its time is up. */
    private static final class SignalledAsTimeIsUp extends Semaphore {

        SignalledAsTimeIsUp() {
            super(0);
        }

        @Override
        public boolean tryAcquire(long timeout, TimeUnit unit) {
            release();
            return false;
        }
    }

    @Test
    void aSignalThatComesTogetherWithTheEndOfTheTimeIsNotLost() throws InterruptedException {
        assertThat(new WakeUp(new SignalledAsTimeIsUp()).await(Duration.ofSeconds(1)))
                .isTrue();
    }

    @Test
    void manySignalsAreAsGoodAsOne() throws InterruptedException {
        WakeUp wakeUp = new WakeUp();
        wakeUp.signal();
        wakeUp.signal();

        assertThat(wakeUp.await(Duration.ZERO)).isTrue();
        assertThat(wakeUp.await(Duration.ZERO)).isFalse();
    }
}
