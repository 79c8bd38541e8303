package org.azuremail.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ParallelCallsTest {

    private static final int AT_ONCE = 32;

    private final ParallelCalls sideBySide = new ParallelCalls("test", AT_ONCE);

    @Test
    void callsDoNotWaitForEachOther() {
        CyclicBarrier allOut = new CyclicBarrier(16);

        List<Integer> answers = sideBySide.invokeAll(calls(16, number -> {
            await(allOut);
            return number;
        }));

        assertThat(answers)
                .containsExactlyElementsOf(IntStream.range(0, 16).boxed().toList());
    }

    @Test
    void asManyCallsAsThreadsRunAtATime() {
        AtomicInteger out = new AtomicInteger();
        AtomicInteger max = new AtomicInteger();
        CyclicBarrier full = new CyclicBarrier(AT_ONCE);

        sideBySide.invokeAll(calls(4 * AT_ONCE, number -> {
            max.accumulateAndGet(out.incrementAndGet(), Math::max);
            await(full);
            return out.decrementAndGet();
        }));

        assertThat(max).hasValue(AT_ONCE);
    }

    @Test
    void firstFailureIsThrownWhenAllHaveEnded() {
        AtomicInteger ended = new AtomicInteger();

        assertThatThrownBy(() -> sideBySide.invokeAll(calls(16, number -> {
                    ended.incrementAndGet();
                    if (number > 5) {
                        throw new IllegalStateException("call " + number);
                    }
                    return number;
                })))
                .hasMessage("call 6");
        assertThat(ended).hasValue(16);
    }

    @Test
    void withOneThreadTheCallerRunsAllCalls() {
        List<Supplier<Thread>> calls = List.of(Thread::currentThread, Thread::currentThread);

        assertThat(new ParallelCalls("test", 1).invokeAll(calls)).containsOnly(Thread.currentThread());
    }

    @Test
    void singleCallIsMadeByTheCaller() {
        assertThat(sideBySide.invokeAll(List.of(Thread::currentThread))).containsExactly(Thread.currentThread());
    }

    private interface Numbered {
        int answer(int number);
    }

    private static List<Supplier<Integer>> calls(int count, Numbered call) {
        return IntStream.range(0, count)
                .<Supplier<Integer>>mapToObj(number -> () -> call.answer(number))
                .toList();
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("the calls were not out together", e);
        }
    }
}
