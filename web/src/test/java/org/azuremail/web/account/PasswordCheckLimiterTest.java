package org.azuremail.web.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks what happens when many visitors have their passwords checked at the same time. */
@Timeout(30)
class PasswordCheckLimiterTest {

    private final PasswordCheckLimiter limiter = new PasswordCheckLimiter(2);
    private final ExecutorService visitors = Executors.newCachedThreadPool(visit -> {
        Thread visitor = new Thread(visit);
        visitor.setDaemon(true);
        return visitor;
    });
    private final List<String> begun = new CopyOnWriteArrayList<>();
    private final AtomicInteger refused = new AtomicInteger();

    @AfterEach
    void endVisitors() {
        visitors.shutdownNow();
    }

    @Test
    void twoAreCheckedFewWaitAndTheRestIsRefused() {
        IntStream.range(0, 100).forEach(i -> visit("stranger", false));

        await().until(() -> refused.get() == 100 - 2 - PasswordCheckLimiter.MAX_WAITING);
        assertThat(begun).hasSize(2);
        for (int over = 1; over <= PasswordCheckLimiter.MAX_WAITING; over++) {
            int next = 2 + over;
            limiter.end();
            await().until(() -> begun.size() == next);
        }
    }

    @Test
    void aKnownDeviceIsNextHoweverManyStrangersWait() {
        IntStream.range(0, 100).forEach(i -> visit("stranger", false));
        await().until(() -> refused.get() == 100 - 2 - PasswordCheckLimiter.MAX_WAITING);

        visit("known", true);
        visit("known", true);
        await().until(() -> limiter.waiting() == PasswordCheckLimiter.MAX_WAITING + 2);
        assertThat(begun).containsExactly("stranger", "stranger");
        limiter.end();
        await().until(() -> begun.size() == 3);
        limiter.end();
        await().until(() -> begun.size() == 4);

        assertThat(begun).endsWith("known", "known");
    }

    @Test
    void knownDevicesCannotTakeAllThreadsEither() {
        IntStream.range(0, 100).forEach(i -> visit("known", true));

        await().until(() -> refused.get() == 100 - 2 - PasswordCheckLimiter.MAX_WAITING);
        assertThat(begun).hasSize(2);
    }

    @Test
    void noMoreThanTwoCheckAtATime() throws InterruptedException {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger max = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(200);
        for (int i = 0; i < 200; i++) {
            boolean known = i % 3 == 0;
            visitors.execute(() -> {
                if (limiter.begin(known)) {
                    max.accumulateAndGet(now.incrementAndGet(), Math::max);
                    Thread.onSpinWait();
                    now.decrementAndGet();
                    limiter.end();
                }
                all.countDown();
            });
        }
        all.await();

        assertThat(max).hasValueBetween(1, 2);
        assertThat(limiter.begin(false)).isTrue();
    }

    private void visit(String name, boolean known) {
        visitors.execute(() -> {
            if (limiter.begin(known)) {
                begun.add(name);
            } else {
                refused.incrementAndGet();
            }
        });
    }
}
