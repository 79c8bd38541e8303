package org.azuremail.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Checks confirmations that are sent while people sign up. */
class SignUpPriorityTest {

    private static final int PROCESSORS = 2;

    private final ManualTime time = new ManualTime();
    private final SignUpPriority signUps = new SignUpPriority(PROCESSORS, time);
    private final ExecutorService confirmations = Executors.newCachedThreadPool();
    private final CountDownLatch atWork = new CountDownLatch(1);
    private final CountDownLatch handedOver = new CountDownLatch(1);

    @AfterEach
    void end() {
        confirmations.shutdownNow();
    }

    private void arrive(int people) {
        if (people > 0) {
            signUps.runSignUp(() -> {
                arrive(people - 1);
                return true;
            });
        }
    }

    /** Starts a confirmation that waits until all are released. */
    private Future<Duration> begin() {
        return confirmations.submit(() -> signUps.runYielding(() -> {
            Duration began = time.elapsed();
            atWork.countDown();
            join(handedOver);
            return began;
        }));
    }

    private static void join(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Duration begun(Future<Duration> confirmation) throws Exception {
        return confirmation.get(30, TimeUnit.SECONDS);
    }

    @Test
    void asManyAsThereAreProcessorsAreNoCrowd() throws Exception {
        arrive(PROCESSORS);

        Duration third = signUps.runYielding(() -> nested(() -> nested(time::elapsed)));

        assertThat(third).isZero();
    }

    private <R> R nested(java.util.function.Supplier<R> work) {
        try {
            return signUps.runYielding(work);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void besideACrowdOneGoesOnAndTheNextWaitsUntilItIsGone() throws Exception {
        arrive(PROCESSORS + 1);
        Future<Duration> first = begin();
        await().until(() -> atWork.getCount() == 0);
        Thread[] next = new Thread[1];
        Future<Duration> waiting = confirmations.submit(() -> {
            next[0] = Thread.currentThread();
            return signUps.runYielding(time::elapsed);
        });
        await().until(() -> next[0] != null && next[0].getState() == Thread.State.TIMED_WAITING);

        time.advance(SignUpPriority.CALM);

        assertThat(begun(waiting)).isEqualTo(SignUpPriority.CALM);
        assertThat(first).isNotDone();
        handedOver.countDown();
    }

    @Test
    void theEndOfOneLetsTheNextGoOnThoughTheCrowdIsStillThere() throws Exception {
        arrive(PROCESSORS + 1);
        Future<Duration> first = begin();
        Future<Duration> second = begin();
        Future<Duration> third = begin();

        handedOver.countDown();

        assertThat(begun(first)).isZero();
        assertThat(begun(second)).isZero();
        assertThat(begun(third)).isZero();
    }

    @Test
    void inTheFirstStepEachIsFollowedByARestAsLongAsItTook() throws Exception {
        Duration took = SignUpPriority.CALM.dividedBy(5);
        arrive(PROCESSORS + 1);
        signUps.runYielding(() -> {
            time.advance(took);
            return true;
        });
        Thread[] next = new Thread[1];
        Future<Duration> waiting = confirmations.submit(() -> {
            next[0] = Thread.currentThread();
            return signUps.runYielding(time::elapsed);
        });
        await().until(() -> next[0] != null && next[0].getState() == Thread.State.TIMED_WAITING);

        time.advance(took);

        assertThat(begun(waiting)).isEqualTo(took.multipliedBy(2));
    }

    @Test
    void whereNobodyArrivesInCrowdsThereIsNoRest() throws Exception {
        signUps.runYielding(() -> {
            time.advance(SignUpPriority.CALM);
            return true;
        });

        assertThat(signUps.<Duration>runYielding(time::elapsed)).isEqualTo(SignUpPriority.CALM);
    }

    @Test
    void besideACrowdThatLastsMoreAndMoreGoOn() {
        assertThat(places(SignUpPriority.STEP)).containsOnly(1);
        assertThat(places(SignUpPriority.STEP.multipliedBy(2))).containsOnly(2);
        assertThat(places(SignUpPriority.STEP.multipliedBy(4))).containsOnly(4);

        time.advance(SignUpPriority.CALM);
        assertThat(places(SignUpPriority.STEP)).as("the next crowd").containsOnly(1);
    }

    /** Returns the numbers of confirmations that were allowed at each check during a period of constant sign-ups. */
    private Set<Integer> places(Duration stretch) {
        Duration end = time.elapsed().plus(stretch);
        Set<Integer> looks = new HashSet<>();
        while (time.elapsed().compareTo(end) < 0) {
            arrive(PROCESSORS + 1);
            looks.add(signUps.permits());
            time.advance(SignUpPriority.CALM.dividedBy(2));
        }
        return looks;
    }
}
