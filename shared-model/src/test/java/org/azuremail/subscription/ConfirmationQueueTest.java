package org.azuremail.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.stream.IntStream;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.subscription.ConfirmationClaims.ConfirmationItem;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.time.ManualTime;
import org.azuremail.work.InlineWork;
import org.junit.jupiter.api.Test;

/** Checks how confirmations get into the queue. */
class ConfirmationQueueTest {

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage simulated = new SimulatedStorage(time);
    private final SeededIds ids = new SeededIds(7);
    private final Queue<Runnable> sender = new ArrayDeque<>();
    private final ConfirmationQueue queue =
            new ConfirmationQueue(InlineWork.queues(simulated.storage(), ConfirmationItem.TYPE), sender::add);

    @Test
    void thoseThatWaitGoTogetherAndEachIsAnItem() {
        send(250);

        assertThat(sender).hasSize(1);
        assertThat(waiting()).isZero();
        sender.remove().run();

        assertThat(waiting()).isEqualTo(250);
        send(1);
        assertThat(sender).hasSize(1);
    }

    @Test
    void thoseThatComeWhileOthersArePutThereAreNotForgotten() {
        send(1);
        simulated.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.SEND) {
                    simulated.hook(CallHook.NONE);
                    send(3);
                }
            }
        });
        sender.remove().run();
        while (!sender.isEmpty()) {
            sender.remove().run();
        }

        assertThat(waiting()).isEqualTo(4);
    }

    @Test
    void aStoppingProcessPutsThemThere() {
        send(3);

        queue.close();

        assertThat(waiting()).isEqualTo(3);
        sender.remove().run();
        assertThat(waiting()).isEqualTo(3);
    }

    @Test
    void aQueueOutOfReachStopsNobodyAndTakesNoMoreThanTenThousandIntoMemory() {
        simulated.hook(new CallHook() {
            @Override
            public void before(Call call) {
                throw new StorageException(StorageException.Reason.UNAVAILABLE, "away", null);
            }
        });
        send(150);
        sender.remove().run();
        send(20_000);
        simulated.hook(CallHook.NONE);
        sender.remove().run();

        assertThat(waiting()).isEqualTo(10_000);
    }

    private void send(int number) {
        IntStream.range(0, number).forEach(i -> queue.send(SubscriptionWorld.LIST, SubscriberGuid.next(0, ids)));
    }

    private long waiting() {
        simulated.queues().createQueue(ConfirmationItem.TYPE.queue());
        return simulated.queues().approximateCount(ConfirmationItem.TYPE.queue());
    }
}
