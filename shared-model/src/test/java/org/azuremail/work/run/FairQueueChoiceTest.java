package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FairQueueChoiceTest {

    private static final int LOOKS = 20_000;
    private static final String BUSY = "busy";

    private final ManualTime time = new ManualTime();
    private final Map<String, Double> priorities = new HashMap<>();
    private final List<String> queues =
            new ArrayList<>(IntStream.range(0, 20).mapToObj(i -> "empty " + i).toList());

    FairQueueChoiceTest() {
        queues.add(BUSY);
    }

    private FairQueueChoice<String> choice() {
        return new FairQueueChoice<>(new Random(1)::nextDouble, time, queue -> priorities.getOrDefault(queue, 1.0));
    }

    /** Returns the queues that were polled; only the busy one ever has items. */
    private List<String> look(FairQueueChoice<String> choice, int looks, Duration each) {
        List<String> looked = new ArrayList<>();
        for (int i = 0; i < looks; i++) {
            time.advance(each);
            String queue = choice.next(queues);
            choice.polled(queue, queue.equals(BUSY));
            looked.add(queue);
        }
        return looked;
    }

    @Test
    @DisplayName("K10: of 20 empty queues and a busy one, the empty ones get a small share of the looks")
    void k10_emptyQueuesGetASmallShare() {
        FairQueueChoice<String> choice = choice();
        look(choice, 500, Duration.ZERO);

        List<String> looked = look(choice, LOOKS, Duration.ZERO);

        assertThat(looked.stream().filter(BUSY::equals).count())
                .as("looks at the busy one")
                .isGreaterThan(LOOKS * 8 / 10);
    }

    @Test
    @DisplayName("K10: however unlikely, every queue is looked at within a bounded number of looks")
    void k10_everyQueueIsLookedAtWithinBoundedLooks() {
        List<String> looked = look(choice(), LOOKS, Duration.ZERO);

        for (String queue : queues) {
            assertThat(longestGap(looked, queue))
                    .as(queue)
                    .isLessThanOrEqualTo((FairQueueChoice.MAX_POLLS_BETWEEN + 1) * queues.size());
        }
    }

    @Test
    @DisplayName("K10: and within a bounded time, however rare the looks are")
    void k10_everyQueueIsLookedAtWithinABoundedTime() {
        List<String> looked = look(choice(), 2000, Duration.ofSeconds(1));

        for (String queue : queues) {
            assertThat(longestGap(looked, queue))
                    .as("seconds without a look at " + queue)
                    .isLessThanOrEqualTo((int) FairQueueChoice.MAX_WAIT.toSeconds() + queues.size());
        }
    }

    @Test
    @DisplayName("A26: a queue that had items a moment ago is likely, one that was empty ever less so")
    void a26_likelihoodFollowsWhatWasFound() {
        List<String> two = List.of("a", "b");
        FairQueueChoice<String> choice = new FairQueueChoice<>(() -> 0.4, time, queue -> 1);
        choice.polled("a", true);
        choice.polled("b", true);
        assertThat(choice.next(two)).isEqualTo("a");

        choice.polled("a", false);
        assertThat(choice.next(two)).as("1/2 beside 1").isEqualTo("b");
        choice.polled("a", true);
        assertThat(choice.next(two)).isEqualTo("a");
    }

    @Test
    @DisplayName("K9: a higher priority shortens the wait of a queue that was empty for long")
    void k9_priorityShortensTheWait() {
        int usual = longestGap(look(choice(), LOOKS, Duration.ZERO), "empty 7");
        priorities.put("empty 7", 10.0);
        int preferred = longestGap(look(choice(), LOOKS, Duration.ZERO), "empty 7");

        assertThat(preferred).isLessThan(usual / 2);
    }

    @Test
    void theSameRandomNumbersChooseTheSame() {
        assertThat(look(choice(), 1000, Duration.ZERO)).isEqualTo(look(choice(), 1000, Duration.ZERO));
    }

    private static int longestGap(List<String> looked, String queue) {
        int longest = 0;
        int gap = 0;
        for (String each : looked) {
            gap = each.equals(queue) ? 0 : gap + 1;
            longest = Math.max(longest, gap);
        }
        return longest;
    }
}
