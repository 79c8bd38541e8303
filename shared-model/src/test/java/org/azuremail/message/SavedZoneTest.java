package org.azuremail.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import org.azuremail.list.ListName;
import org.azuremail.mail.OnUnknown;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Values;
import org.junit.jupiter.api.Test;

/** Checks a message of a process on another machine, whose time zone data are newer. */
class SavedZoneTest {

    private static final Instant DUE = Instant.parse("2026-12-24T17:00:00Z");

    private final Message saved = new Message(
            new MessageRef(7),
            new Message.Created(DUE, "ann@example.org"),
            Audience.of(new ListName("news")),
            1,
            new Message.Content("News", 0, null),
            new Schedule(DUE, ZoneId.of("Europe/Berlin")),
            OnUnknown.HOLD,
            null,
            MessageState.pending(false),
            Message.Result.of(Reason.NONE, 0, OutcomeCounts.NONE, null));

    @Test
    void zoneThatThisMachineDoesNotKnowChangesNoDate() {
        Values elsewhere =
                saved.toValues().toBuilder().put("Zone", "Europe/Newtown").build();

        Schedule read = Message.from(elsewhere).schedule();

        assertThat(read).isEqualTo(new Schedule(DUE, ZoneId.of("UTC")));
    }
}
