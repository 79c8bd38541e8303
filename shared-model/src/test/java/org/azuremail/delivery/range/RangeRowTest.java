package org.azuremail.delivery.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Instant;
import org.azuremail.message.MessageRef;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.Values;
import org.junit.jupiter.api.Test;

class RangeRowTest {

    private static final Instant AT = Instant.parse("2026-03-04T05:06:07Z");
    private static final RangeKey KEY = new RangeKey(new ShardKey(new MessageRef(1), 0), 1);

    @Test
    void aRowWithALotInTheAirIsWrittenAsItWasRead() {
        assertThat(Range.from(KEY, handing().build()).toValues())
                .isEqualTo(handing().build());
    }

    @Test
    void aRowWithoutLotOrLeaseIsWrittenAsItWasRead() {
        Values open = row("OPEN", "").put("NotBefore", AT).put("Note", note()).build();

        assertThat(Range.from(KEY, open).toValues()).isEqualTo(open);
    }

    @Test
    void theNameOfALotDoesNotOutliveItsHandOver() {
        Range handing = Range.from(KEY, handing().build());

        assertThat(handing.toValues().string("LotId")).isEqualTo("lot-7");
        assertThat(handing.claimed(handing.resent()).toValues().string("LotId")).isNull();
        assertThat(handing.released(null, Reason.NONE).toValues().string("LotId"))
                .isNull();
    }

    @Test
    void onlyALotThatIsHandedOverOnceMoreOutlivesARelease() {
        Range once = Range.from(KEY, handing().put("Resent", false).build());

        assertThat(Range.from(KEY, handing().build())
                        .released(null, Reason.NONE)
                        .resent())
                .isNotNull();
        assertThat(once.released(null, Reason.NONE).lot()).isNull();
    }

    @Test
    void aDoneRangeStaysDone() {
        Range done = Range.from(KEY, row("DONE", "").build());

        assertThatIllegalStateException().isThrownBy(() -> done.held("attempt", AT));
    }

    private static Values.Builder handing() {
        return row("HANDING", "attempt")
                .put("LeaseEnd", AT)
                .put("LotFrom", "email:b")
                .put("LotTo", "email:c")
                .put("Resent", true)
                .put("LotId", "lot-7");
    }

    private static Values.Builder row(String state, String nonce) {
        return Values.builder()
                .put("From", "email:a")
                .put("To", "email:z")
                .put("Recipients", 26)
                .put("Generation", 2)
                .put("State", state)
                .put("Nonce", nonce)
                .put("Epoch", 9L)
                .put("Tries", 3)
                .put("LotLimit", 4)
                .put("QueuedAt", AT)
                .put("Note", "")
                .put("Restored", 1)
                .put("Sent", 5L)
                .put("Failed", 6L)
                .put("Skipped", 7L)
                .put("Unknown", 8L);
    }

    private static String note() {
        return Reason.of(ReasonCode.PUT_OFF).stored();
    }
}
