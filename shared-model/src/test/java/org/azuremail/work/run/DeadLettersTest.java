package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Page;
import org.azuremail.storage.QueueStore;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.work.InlineWork;
import org.azuremail.work.queue.DeadLetter;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.ItemContent;
import org.azuremail.work.queue.WorkQueues;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("K12: dead letters with reason, restore, delete")
class DeadLettersTest {

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time, 3);
    private final WorkQueues queues = InlineWork.queues(storage.storage(), Sheet.TYPE);
    private final DeadLetters deadLetters = new DeadLetters(storage.storage(), queues);

    private DeadLetter add(String itemId, String text) {
        DeadLetter letter = DeadLetter.of("sheets", itemId, text, Reason.ofText("broken"), time.instant(), 5);
        deadLetters.add(letter);
        time.advance(Duration.ofSeconds(1));
        return letter;
    }

    private List<DeadLetter> all(int limit) {
        List<DeadLetter> all = new ArrayList<>();
        String continuation = null;
        do {
            Page<DeadLetter> page = deadLetters.page(limit, continuation);
            assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
            all.addAll(page.items());
            continuation = page.continuation();
        } while (continuation != null);
        return all;
    }

    @Test
    void theNewestComesFirstOverAllPages() {
        List<DeadLetter> newestFirst = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            newestFirst.add(0, add("item/" + i, "text " + i));
        }

        assertThat(all(2)).containsExactlyElementsOf(newestFirst);
        assertThat(all(5000)).hasSize(10);
    }

    @Test
    void recordingOneTwiceKeepsOne() {
        DeadLetter letter = add("i1", "text");
        deadLetters.add(letter);

        assertThat(all(10)).containsExactly(letter);
    }

    @Test
    void theLargestItemOfAQueueFits() {
        String text = "x".repeat(QueueStore.MAX_TEXT_BYTES);
        DeadLetter letter = add("i1", text);

        assertThat(deadLetters.find(letter.id())).contains(letter);
        assertThat(deadLetters.restore(letter.id(), queue -> queue)).isTrue();
        String written = storage.queues().peek("sheets", 1).get(0).text();
        assertThat(ItemContent.of(queues.payloads(), "sheets", written)).isEqualTo(new ItemContent.Text(text));
    }

    @Test
    void anEndlessReasonIsCut() {
        DeadLetter letter =
                DeadLetter.of("sheets", "i1", "text", Reason.ofText("why ".repeat(20_000)), time.instant(), 5);
        deadLetters.add(letter);

        assertThat(deadLetters.find(letter.id()).orElseThrow().reason())
                .asString()
                .startsWith("why why")
                .hasSizeBetween(1900, 2000);
    }

    @Test
    void aRestoredOneIsBackOnItsQueueAndGoneHere() {
        DeadLetter letter = add("i1", "text");

        assertThat(deadLetters.restore(letter.id(), queue -> queue)).isTrue();

        assertThat(storage.queues().peek("sheets", 32)).hasSize(1);
        assertThat(all(10)).isEmpty();
        assertThat(deadLetters.restore(letter.id(), queue -> queue)).isFalse();
        assertThat(storage.queues().peek("sheets", 32)).hasSize(1);
    }

    @Test
    void aCrashWhileRestoringLosesNothing() {
        DeadLetter letter = add("i1", "text");
        queues.put(new Sheet("so that queue and table are there"));
        storage.resetCounters();
        for (int call = 1; call <= 3; call++) {
            int at = call;
            storage.hook(new CallHook() {
                @Override
                public void before(Call seen) {
                    if (seen.number() == at) {
                        throw new IllegalStateException("killed");
                    }
                }
            });
            assertThatThrownBy(() -> deadLetters.restore(letter.id(), queue -> queue))
                    .hasMessage("killed");
            storage.hook(CallHook.NONE);
            assertThat(deadLetters.find(letter.id())).isPresent();
            storage.resetCounters();
        }
    }

    @Test
    void aDeletedOneIsGone() {
        DeadLetter letter = add("i1", "text");

        assertThat(deadLetters.delete(letter.id())).isTrue();
        assertThat(deadLetters.delete(letter.id())).isFalse();
        assertThat(all(10)).isEmpty();
    }
}
