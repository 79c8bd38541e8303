package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.azuremail.time.ManualTime;
import org.azuremail.work.lease.LeaseRenewals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class LeaseRenewalsTest {

    private final ManualTime time = new ManualTime();
    private final LeaseRenewals renewals = new LeaseRenewals(time);

    private static final class Kept implements LeaseRenewals.Renewable {

        private final Duration every;
        private int renewed;
        private boolean lost;
        private boolean fails;

        Kept(int seconds) {
            this.every = Duration.ofSeconds(seconds);
        }

        @Override
        public Duration every() {
            return every;
        }

        @Override
        public boolean renew() {
            renewed++;
            if (fails) {
                throw new IllegalStateException("out of reach");
            }
            return !lost;
        }
    }

    @Test
    void eachIsRenewedInItsOwnTime() {
        Kept often = new Kept(10);
        Kept seldom = new Kept(20);
        renewals.add(often);
        renewals.add(seldom);

        for (int second = 0; second < 60; second++) {
            time.advance(Duration.ofSeconds(1));
            renewals.runOnce();
        }

        assertThat(often.renewed).isEqualTo(6);
        assertThat(seldom.renewed).isEqualTo(3);
    }

    @Test
    void itSaysHowLongItMayRest() {
        renewals.add(new Kept(20));
        time.advance(Duration.ofSeconds(5));
        renewals.add(new Kept(20));

        assertThat(renewals.runOnce()).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void aLostOrRemovedLeaseIsLeftAlone() {
        Kept lost = new Kept(10);
        lost.lost = true;
        Kept removed = new Kept(10);
        renewals.add(lost);
        renewals.add(removed);
        renewals.remove(removed);

        for (int i = 0; i < 5; i++) {
            time.advance(Duration.ofSeconds(10));
            renewals.runOnce();
        }

        assertThat(lost.renewed).isEqualTo(1);
        assertThat(removed.renewed).isZero();
    }

    @Test
    void aFailedRenewalIsTriedAgainBeforeItIsTooLateAndHoldsNobodyUp() {
        Kept failing = new Kept(20);
        failing.fails = true;
        Kept other = new Kept(20);
        renewals.add(failing);
        renewals.add(other);
        time.advance(Duration.ofSeconds(20));

        assertThat(renewals.runOnce()).isEqualTo(Duration.ofSeconds(5));
        assertThat(other.renewed).isEqualTo(1);

        failing.fails = false;
        time.advance(Duration.ofSeconds(5));
        renewals.runOnce();
        assertThat(failing.renewed).isEqualTo(2);
    }

    @Test
    void aFailureIsLoggedOnceUntilTheNextSuccess(CapturedOutput log) {
        Kept failing = new Kept(20);
        failing.fails = true;
        renewals.add(failing);
        for (int seconds = 0; seconds < 600; seconds += 5) {
            time.advance(Duration.ofSeconds(5));
            renewals.runOnce();
        }
        assertThat(log.getAll().split("could not renew", -1)).hasSize(2);

        failing.fails = false;
        time.advance(Duration.ofSeconds(5));
        renewals.runOnce();
        failing.fails = true;
        time.advance(Duration.ofSeconds(20));
        renewals.runOnce();
        assertThat(log.getAll().split("could not renew", -1)).hasSize(3);
    }

    @Test
    void aShorterOneEndsTheRestOfTheLoop() throws Exception {
        renewals.runOnce();

        renewals.add(new Kept(10));

        assertThat(renewals.wakeUp().await(Duration.ofSeconds(10))).isTrue();
    }
}
