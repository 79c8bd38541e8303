package org.azuremail.sender;

import java.util.Optional;
import org.azuremail.delivery.TestMail;
import org.azuremail.limit.Wait;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.HandOver;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.Unavailable;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.work.Delivery;
import org.azuremail.work.ItemType;
import org.azuremail.work.QueueService;
import org.azuremail.work.WorkResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends test mails through the real transport. Best effort: what a provider refuses is only logged. */
class TestMailSender implements QueueService<TestMail> {

    private static final Logger LOG = LoggerFactory.getLogger(TestMailSender.class);

    private final MessageStore messages;
    private final LotMaker mails;
    private final MailTransport transport;
    private final Tokens rate;

    TestMailSender(MessageStore messages, LotMaker mails, MailTransport transport, Tokens rate) {
        this.messages = messages;
        this.mails = mails;
        this.transport = transport;
        this.rate = rate;
    }

    @Override
    public ItemType<TestMail> itemType() {
        return TestMail.TYPE;
    }

    @Override
    public WorkResult handle(TestMail item, Delivery delivery) {
        Optional<Message> message = messages.find(new MessageRef(item.messageRef()));
        Optional<EmailAddress> address = EmailAddress.parse(item.address());
        if (message.isEmpty() || address.isEmpty()) {
            return new WorkResult.Discard("no message or no address for a test mail");
        }
        Wait wait = rate.take(1);
        if (!wait.isZero()) {
            return new WorkResult.RetryAfter(wait.duration());
        }
        HandOver handOver = transport.handOver(mails.testLot(message.get(), address.get()), () -> true);
        LOG.info(
                "test mail of message {}: {}",
                item.messageRef(),
                handOver.answers().get(0));
        return handOver.unavailable().map(TestMailSender::later).orElse(WorkResult.DONE);
    }

    private static WorkResult later(Unavailable unavailable) {
        return new WorkResult.RetryAfter(unavailable.retryAfter());
    }
}
