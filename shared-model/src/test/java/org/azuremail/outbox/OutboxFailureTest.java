package org.azuremail.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.azuremail.mail.MailLot;
import org.azuremail.mail.TestMails;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Checks a lot whose writes fail or lose their answers. */
class OutboxFailureTest extends OnOutbox {

    @Test
    void aLostAnswerKeepsNothingTwice() {
        storage.hook(failing(1, null, new StorageException(Reason.TIMED_OUT, "lost", null)));

        OutboxStore.StoreResult kept = outbox.store(new MailLot(content, TestMails.mails(100)));
        storage.hook(CallHook.NONE);

        assertThat(kept.certain()).isEqualTo(100);
        assertThat(newest(200)).hasSize(100);
    }

    @Test
    void aBatchThatFailsForGoodIsInDoubtAndTheRestNotBegun() {
        storage.hook(failing(0, 2, new StorageException(Reason.TIMED_OUT, "down", null)));

        OutboxStore.StoreResult kept = outbox.store(new MailLot(content, TestMails.mails(150)));

        assertThat(kept.certain()).isEqualTo(99);
        assertThat(kept.doubtful()).isEqualTo(51);
        assertThat(kept.failure()).isPresent();
    }

    @Test
    void aBatchThatWasTurnedAwayIsInNoDoubt() {
        storage.hook(failing(0, 1, new StorageException(Reason.THROTTLED, "busy", null)));

        OutboxStore.StoreResult kept = outbox.store(new MailLot(content, TestMails.mails(10)));

        assertThat(kept.certain()).isZero();
        assertThat(kept.doubtful()).isZero();
        assertThat(kept.failure()).isPresent();
    }

    /** Loses the answer of one write, and refuses every write from one on. */
    private static CallHook failing(int lostAnswer, @Nullable Integer refusedFrom, StorageException failure) {
        return new CallHook() {
            private int writes;

            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.WRITE
                        && ++writes >= (refusedFrom == null ? Integer.MAX_VALUE : refusedFrom)) {
                    throw failure;
                }
            }

            @Override
            public void after(Call call) {
                if (call.kind() == Call.Kind.WRITE && writes == lostAnswer) {
                    throw failure;
                }
            }
        };
    }
}
