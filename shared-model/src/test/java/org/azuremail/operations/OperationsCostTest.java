package org.azuremail.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import org.azuremail.reason.Reason;
import org.azuremail.work.queue.DeadLetter;
import org.junit.jupiter.api.Test;

/** Checks the sum and the cost of the calls of all processes, and the cost of reading them. */
class OperationsCostTest extends OnOperations {

    @Test
    void q2_callsAreSummedByOperationProjectedOnAMonthAndPriced() {
        sender(
                        2,
                        "mill",
                        Map.of(
                                "seconds", "3600",
                                "calls/queue/azuremailqueue/receive", "1000 5000",
                                "calls/table/message/query", "7 70",
                                "calls/table/work/query", "3 30"))
                .heartbeat();
        sender(3, "barn", Map.of("seconds", "1800", "calls/queue/azuremailqueue/receive", "500 500"))
                .heartbeat();
        time.advance(Duration.ofMinutes(1));

        Overview overview = operations.overview();

        assertThat(overview.byOperation())
                .filteredOn(line -> line.store().equals("queue") && line.what().equals("receive"))
                .singleElement()
                .satisfies(receive -> {
                    assertThat(receive.lately()).isEqualTo(1500);
                    assertThat(receive.total()).isEqualTo(5500);
                    assertThat(receive.month()).isEqualTo(1_440_000);
                    assertThat(receive.cost()).isEqualByComparingTo("0.144");
                });
        assertThat(overview.byName())
                .filteredOn(line -> line.what().equals("message"))
                .singleElement()
                .satisfies(message -> assertThat(message.total()).isEqualTo(70));
        assertThat(overview.byName().get(0).what()).isEqualTo(QUEUE);
        assertThat(overview.all().total()).isEqualTo(5600 + ownTotal(overview));
    }

    @Test
    void theFirstMinutesAreNotTakenForAMonth() {
        time.advance(Duration.ofMinutes(9));
        web.heartbeat();
        assertThat(operations.overview().all().month()).isNull();
        assertThat(operations.overview().all().cost()).isNull();

        time.advance(Duration.ofMinutes(1));

        assertThat(operations.overview().all().month()).isNotNull().isPositive();
    }

    @Test
    void a15_aMonthOfAskingOneQueueEveryTenSecondsCostsACentADayNotADollar() {
        long polls = Duration.ofDays(30).dividedBy(Duration.ofSeconds(10));
        assertThat(polls).isEqualTo(259_200);
        assertThat(CallSums.cost(polls, BigDecimal.ONE)).isEqualByComparingTo("0.2592");
    }

    @Test
    void lookingCostsTheSameHoweverMuchWaitsAndNothingForOthersWhoLook() {
        operations.overview();
        later();
        long before = calls();
        assertThat(operations.overview().ownCalls()).isEqualTo(5);
        assertThat(calls() - before).isEqualTo(5);

        send(100);
        IntStream.range(0, 30)
                .forEach(n -> deadLetters.add(
                        DeadLetter.of(QUEUE, "i" + n, "text", Reason.ofText("reason"), time.instant(), 5)));
        later();
        before = calls();
        assertThat(operations.overview().ownCalls()).isEqualTo(6);
        operations.overview();
        assertThat(calls() - before).isEqualTo(6);
    }

    private static long ownTotal(Overview overview) {
        return overview.instances().stream()
                .filter(process -> process.name().equals("front"))
                .mapToLong(Overview.Process::calls)
                .sum();
    }
}
