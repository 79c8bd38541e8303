package org.azuremail.sender;

import java.util.Optional;
import org.azuremail.delivery.TestMail;
import org.azuremail.limit.Wait;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.HandOver;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.Unavailable;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.route.Attempt;
import org.azuremail.route.ListRoutes;
import org.azuremail.route.Routes;
import org.azuremail.time.Time;
import org.azuremail.work.Delivery;
import org.azuremail.work.ItemType;
import org.azuremail.work.QueueService;
import org.azuremail.work.WorkResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends test mails through the real transports. Best effort: what a provider refuses is only logged. */
class TestMailSender implements QueueService<TestMail> {

    private static final Logger LOG = LoggerFactory.getLogger(TestMailSender.class);

    private final MessageStore messages;
    private final LotMaker mails;
    private final Routes routes;
    private final ListRoutes lists;
    private final Time time;

    TestMailSender(MessageStore messages, LotMaker mails, Routes routes, ListRoutes lists, Time time) {
        this.messages = messages;
        this.mails = mails;
        this.routes = routes;
        this.lists = lists;
        this.time = time;
    }

    @Override
    public ItemType<TestMail> itemType() {
        return TestMail.TYPE;
    }

    @Override
    public WorkResult handle(TestMail item, Delivery delivery) {
        Optional<Message> message = messages.find(new MessageRef(item.messageRef()));
        Optional<EmailAddress> address = EmailAddress.stored(item.address());
        if (message.isEmpty() || address.isEmpty()) {
            return new WorkResult.Discard("no message or no address for a test mail");
        }
        Attempt attempt = new Attempt("test." + item.messageRef(), time);
        String first = lists.first(message.get().list());
        Routes.Single single = routes.pickForOne(first, attempt);
        if (single.pick() instanceof Routes.Pick.None none) {
            return later(none.why());
        }
        Routes.Pick.Taken by = (Routes.Pick.Taken) single.pick();
        Wait wait = single.limit();
        if (!wait.isZero()) {
            return new WorkResult.RetryAfter(wait.duration());
        }
        MailLot lot = mails.testLot(message.get(), address.get());
        HandOver handOver = routes.handOver(by, first, attempt, lot, () -> true);
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
