package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.azuremail.delivery.range.EmailRow;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.id.SeededIds;
import org.azuremail.limit.Limits;
import org.azuremail.limit.RateLimit;
import org.azuremail.list.ListName;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.MailProperties.WhenFull;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.route.Breaker;
import org.azuremail.route.EmailCounts;
import org.azuremail.route.Route;
import org.azuremail.storage.Key;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Values;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.time.ManualTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests when a recipient is retried by a transport that has accepted no email yet. */
class RetriesTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ManualTime time = new ManualTime();
    private final Instant now = time.instant();
    private final Retries retries = new Retries(time);
    private final Route route = silentRoute(time);

    /** Conversations that broke before do not change the wait for which a provider asks. */
    @ParameterizedTest
    @CsvSource(
            value = {"null, 0", "PT5H, 1"},
            nullValues = "null")
    void aRecipientWhoIsPutOffHasNoBrokenConversation(@Nullable Duration broken, int tries) {
        Instant since = broken == null ? null : now.minus(broken);
        EmailRow row = row(tries, since);

        retries.add(row, new Answer.RetryAfter(MINUTE, "451 later"), route, false);

        assertThat(written(row).instant("NotBefore")).isEqualTo(now.plus(MINUTE.multipliedBy(tries + 1L)));
        assertThat(written(row).integer("Tries", 0)).isEqualTo(tries + 1);
        assertThat(written(row).instant("BrokenSince")).isEqualTo(since);
        assertThat(Reason.read(written(row).string("Note")))
                .isEqualTo(Reason.of(ReasonCode.PUT_OFF_SAYING, Reason.ofText("451 later")));
    }

    @Test
    void theFirstBrokenConversationIsNoTryAndIsRemembered() {
        EmailRow row = row(0, null);

        retries.add(row, broken(), route, false);

        assertThat(written(row).instant("NotBefore")).isEqualTo(now.plus(MINUTE));
        assertThat(written(row).integer("Tries", 0)).isZero();
        assertThat(written(row).instant("BrokenSince")).isEqualTo(now);
        assertThat(Reason.read(written(row).string("Note"))).isEqualTo(Reason.ofText("421 closing"));
    }

    /** The wait is as long as the transport has been broken, but at least what it asks for, and at most ten minutes. */
    @ParameterizedTest
    @CsvSource({"PT30S, 1", "PT3M, 3", "PT10M, 10", "PT5H, 10"})
    void theWaitAfterBrokenConversationsDoublesUpToTenMinutes(Duration broken, int minutes) {
        EmailRow row = row(0, now.minus(broken));

        retries.add(row, broken(), route, false);

        assertThat(written(row).instant("NotBefore")).isEqualTo(now.plus(Duration.ofMinutes(minutes)));
        assertThat(written(row).integer("Tries", 0)).isZero();
        assertThat(written(row).instant("BrokenSince")).isEqualTo(now.minus(broken));
    }

    @ParameterizedTest
    @CsvSource({"P1D, false, true", "P1DT1S, true, true", "P1DT1S, false, false"})
    void brokenConversationsOfMoreThanADayEndUnlessTheTransportIsDown(Duration broken, boolean down, boolean again) {
        EmailRow row = row(4, now.minus(broken));

        assertThat(retries.add(row, broken(), route, down)).isEqualTo(again);

        assertThat(retries.contains(row)).isEqualTo(again);
    }

    @Test
    void brokenConversationsOfMoreThanADayCountAsTries() {
        EmailRow row = row(1, now.minus(Duration.ofDays(2)));

        retries.add(row, broken(), route, false);

        assertThat(written(row).integer("Tries", 0)).isEqualTo(2);
        assertThat(written(row).instant("NotBefore")).isEqualTo(now.plus(MINUTE.multipliedBy(2)));
        assertThat(written(row).instant("BrokenSince")).isEqualTo(row.brokenSince());
    }

    private Values written(EmailRow row) {
        return retries.write(row).values();
    }

    private static Answer.RetryAfter broken() {
        return new Answer.RetryAfter(MINUTE, Reason.ofText("421 closing"), true);
    }

    private static EmailRow row(int tries, @Nullable Instant brokenSince) {
        Recipient bob = new Recipient(
                new ListName("news"),
                new EmailAddress("bob@example.org"),
                "",
                SubscriberGuid.next(0, new SeededIds(1)),
                Map.of(),
                0,
                tries,
                Range.Delay.NONE);
        Values values = Values.builder()
                .put("BrokenSince", brokenSince)
                .put("Note", "|SAID|before")
                .build();
        return new EmailRow(bob, new Row(new Key("mail.0.1", bob.rowKey()), "etag", values));
    }

    private static Route silentRoute(ManualTime time) {
        Storage storage = new SimulatedStorage(time).storage();
        return new Route(
                "some",
                new RecordingTransport(1),
                new RateLimit(storage, time, "some", Limits.NONE),
                new Breaker(storage, time, "some", (unused, state) -> {}),
                WhenFull.WAIT,
                new EmailCounts());
    }
}
