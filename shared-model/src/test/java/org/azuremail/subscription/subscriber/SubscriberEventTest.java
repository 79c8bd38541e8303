package org.azuremail.subscription.subscriber;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class SubscriberEventTest {

    /** The diagram in docs/state-machines.md as a table: an event, the state before it, and the state after it. */
    private static final String TABLE = """
            asked: -→unconfirmed unconfirmed→unconfirmed unsubscribed→unconfirmed
            joined: -→subscribed unconfirmed→subscribed
            added: -→unconfirmed
            confirmed: unconfirmed→subscribed
            verified: -→subscribed unconfirmed→subscribed unsubscribed→subscribed
            unverified: subscribed→unconfirmed
            left: unconfirmed→unsubscribed subscribed→unsubscribed
            returned: unsubscribed→subscribed
            suppressed: unconfirmed→suppressed subscribed→suppressed unsubscribed→suppressed
            released: suppressed→unsubscribed
            moved: unconfirmed→unsubscribed subscribed→unsubscribed
            arriving: -→unconfirmed unsubscribed→unconfirmed
            """;

    @Test
    void everyTransitionIsAsDrawn() {
        List<String> lines = new ArrayList<>();
        for (SubscriberEvent event : SubscriberEvent.values()) {
            StringBuilder line = new StringBuilder(word(event)).append(':');
            event.after(null).ifPresent(to -> line.append(" -→").append(word(to)));
            for (SubscriberState from : SubscriberState.values()) {
                event.after(from)
                        .ifPresent(to ->
                                line.append(' ').append(word(from)).append('→').append(word(to)));
            }
            lines.add(line.toString());
        }
        assertThat(String.join("\n", lines) + "\n").isEqualTo(TABLE);
    }

    @Test
    void nobodyWhoLeftOrIsSuppressedIsSubscribedByAnythingButAnAdminOrTheirOwnClickAtOnce() {
        for (SubscriberEvent event : SubscriberEvent.values()) {
            if (event != SubscriberEvent.VERIFIED && event != SubscriberEvent.RETURNED) {
                assertThat(event.after(SubscriberState.UNSUBSCRIBED))
                        .isNotEqualTo(java.util.Optional.of(SubscriberState.SUBSCRIBED));
            }
            assertThat(event.after(SubscriberState.SUPPRESSED))
                    .isNotEqualTo(java.util.Optional.of(SubscriberState.SUBSCRIBED));
        }
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
