package org.azuremail.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.TestMails;
import org.azuremail.storage.BlobStore.BlobInfo;
import org.azuremail.storage.Page;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;

/** Checks which emails are removed from the outbox as time passes or when it is cleared. */
class OutboxTrimTest extends OnOutbox {

    private static final Duration DAY = Duration.ofDays(1);

    @Test
    void trimmingRemovesOldMailsAndTheirContents() throws Exception {
        keep(TestMails.mails(70));
        time.advance(DAY);
        keep(TestMails.mails(71, 5));
        String kept = newest(1).get(0).id();

        new OutboxStoreConfiguration()
                .outboxTrim(outbox, new OutboxProperties(Duration.ofHours(12)), time)
                .run();

        assertThat(newest(100)).hasSize(5);
        assertThat(outbox.to(new EmailAddress("u0000001@bench.test"), 10, null).items())
                .isEmpty();
        assertThat(outbox.find(kept)).isPresent();
        assertThat(daysOfContents()).containsExactly("2026-01-02");
    }

    @Test
    void aMailExactlyAsOldAsTheLimitStays() {
        keep(TestMails.mails(1));
        outbox.trim(ManualTime.START);
        assertThat(newest(1)).hasSize(1);

        outbox.trim(ManualTime.START.plusMillis(1));
        assertThat(newest(1)).isEmpty();
    }

    @Test
    void trimmingGoesOnWhereSomebodyElseTrimmedAtTheSameTime() {
        keep(TestMails.mails(60));
        time.advance(DAY);
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.WRITE) {
                    storage.hook(CallHook.NONE);
                    new OutboxStore(storage.storage(), time, ids).trim(time.instant());
                }
            }
        });

        outbox.trim(time.instant());

        assertThat(newest(100)).isEmpty();
        assertThat(rows()).isEmpty();
    }

    private List<String> daysOfContents() {
        List<String> days = new ArrayList<>();
        String continuation = null;
        do {
            Page<BlobInfo> page = storage.blobs().list(OutboxContents.CONTAINER, "", 10, continuation);
            page.items().forEach(blob -> days.add(blob.name().substring(0, 10)));
            continuation = page.continuation();
        } while (continuation != null);
        return days;
    }
}
