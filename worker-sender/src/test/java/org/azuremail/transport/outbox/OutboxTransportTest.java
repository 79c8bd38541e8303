package org.azuremail.transport.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.azuremail.id.SeededIds;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.TestMails;
import org.azuremail.mail.Unavailable;
import org.azuremail.outbox.OutboxStore;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.transport.MailTransportContract;
import org.azuremail.transport.ReceivedMail;
import org.junit.jupiter.api.Test;

class OutboxTransportTest implements MailTransportContract {

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time);
    private final OutboxStore outbox = new OutboxStore(storage.storage(), time, new SeededIds(1));
    private final OutboxTransport transport = new OutboxTransport(outbox);
    private final MailContent content = TestMails.content("1", "S {{name}}", "<p>x</p>", "x");

    @Override
    public MailTransport transport() {
        return transport;
    }

    @Override
    public List<ReceivedMail> received() {
        List<ReceivedMail> received = new ArrayList<>();
        for (OutboxStore.Entry entry : outbox.newest(1000, null).items()) {
            received.add(ReceivedMail.of(outbox.find(entry.id()).orElseThrow().raw()));
        }
        Collections.reverse(received);
        return received;
    }

    @Test
    void whenTheStorageIsAwayNothingIsTaken() {
        fail(1, Reason.THROTTLED);

        HandOverResult handOver = transport.handOver(new MailLot(content, TestMails.mails(3)), ALWAYS);

        assertThat(handOver.answers()).hasSize(3).hasOnlyElementsOfType(Answer.NotAttempted.class);
        assertThat(handOver.unavailable()).hasValueSatisfying(unavailable -> {
            assertThat(unavailable.kind()).isEqualTo(Unavailable.Kind.WAIT);
            assertThat(unavailable.reason()).asString().contains("outbox");
        });
    }

    @Test
    void aBatchWithoutAnAnswerIsUnknownAndTheRestIsUntaken() {
        fail(2, Reason.TIMED_OUT);

        HandOverResult handOver = transport.handOver(new MailLot(content, TestMails.mails(200)), ALWAYS);

        assertThat(handOver.answers().subList(0, 99)).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(handOver.answers().subList(99, 198)).hasOnlyElementsOfType(Answer.Unknown.class);
        assertThat(handOver.answers().subList(198, 200)).hasOnlyElementsOfType(Answer.NotAttempted.class);
        assertThat(handOver.unavailable()).isPresent();
    }

    @Test
    void nothingWaitsWhenNoMailIsLeftUntaken() {
        fail(2, Reason.TIMED_OUT);

        HandOverResult handOver = transport.handOver(new MailLot(content, TestMails.mails(198)), ALWAYS);

        assertThat(handOver.answers()).hasOnlyElementsOfTypes(Answer.Accepted.class, Answer.Unknown.class);
        assertThat(handOver.unavailable()).isEmpty();
    }

    @Test
    void onlyTheMailThatFitsNoRowIsRefused() {
        Mail huge = TestMails.mail("huge@domain.com", "", Map.of("name", noise(3_000_000)));
        List<Mail> mails =
                List.of(TestMails.mails(1).get(0), huge, TestMails.mails(2, 1).get(0));

        HandOverResult handOver = transport.handOver(new MailLot(content, mails), ALWAYS);

        assertThat(handOver.answers().get(0)).isInstanceOf(Answer.Accepted.class);
        assertThat(handOver.answers().get(1))
                .isEqualTo(new Answer.Refused(org.azuremail.reason.Reason.of(ReasonCode.OUTBOX_TOO_LARGE)));
        assertThat(handOver.answers().get(2)).isInstanceOf(Answer.Accepted.class);
        assertThat(received()).hasSize(2);
    }

    @Test
    void anAddressOutsideAsciiIsKeptToo() {
        Mail mail = TestMails.mail("jürgen@domain.com", "Jürgen", Map.of());

        assertThat(transport
                        .handOver(new MailLot(content, List.of(mail)), ALWAYS)
                        .answers())
                .hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(outbox.newest(1, null).items().get(0).to()).isEqualTo(mail.to());
    }

    /** Returns a text that does not compress well. */
    private static String noise(int characters) {
        return new Random(1)
                .ints(characters, 'A', 'Z' + 1)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private void fail(int fromWrite, Reason reason) {
        storage.hook(new CallHook() {
            private int writes;

            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.WRITE && ++writes >= fromWrite) {
                    throw new StorageException(reason, "test", null);
                }
            }
        });
    }
}
