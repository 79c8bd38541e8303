package org.azuremail.sender;

import java.util.Optional;
import org.azuremail.delivery.testmail.TestMail;
import org.azuremail.delivery.testmail.TestMails;
import org.azuremail.delivery.testmail.TestMails.Result;
import org.azuremail.delivery.testmail.TestMails.State;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mailclass.MailClasses;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.route.Attempt;
import org.azuremail.suppression.Suppression.SuppressionReason;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.WorkResult;

/**
 * Sends test emails through the real transports, notes the result of each, and forwards replies. A test email with a
 * noted result is not sent again. If the process dies between sending and noting, the item stays and the email is sent
 * once more.
 */
record TestMailSender(SenderContext context, ReplyForwarder replies, TestMails results)
        implements ClassService<TestMail> {

    @Override
    public MailClasses classes() {
        return context.ranges().classes();
    }

    @Override
    public ItemType<TestMail> itemType() {
        return TestMail.TYPE;
    }

    @Override
    public WorkResult handle(TestMail item, Delivery delivery) {
        if (item.reply() != null) {
            return replies.forward(item.reply());
        }
        if (known(item)) {
            return WorkResult.DONE;
        }
        Optional<Message> message = context.messages().find(new MessageRef(item.messageRef()));
        Optional<EmailAddress> address = EmailAddress.stored(item.address());
        if (message.isEmpty() || address.isEmpty()) {
            note(item, new Result(State.REFUSED, Reason.of(ReasonCode.MESSAGE_GONE)));
            return new WorkResult.Discard("no message or no address for a test mail");
        }
        Optional<SuppressionReason> suppressed = context.suppressions().findReason(address.get());
        if (suppressed.isPresent()) {
            note(item, new Result(State.REFUSED, Reason.of(suppressed.get())));
            return WorkResult.DONE;
        }
        Attempt attempt = new Attempt("test." + item.messageRef(), context.time(), () -> !delivery.stopping());
        HandOverResult result = context.routes()
                .handOver(context.preferredTransports().of(message.get().list()), attempt, () -> context.mails()
                        .testLot(message.get(), address.get()));
        if (result.unavailable().isPresent()) {
            note(item, new Result(State.QUEUED, result.unavailable().get().reason()));
            return new WorkResult.RetryAfter(result.unavailable().get().retryAfter());
        }
        note(item, Result.of(result.answers().get(0)));
        return WorkResult.DONE;
    }

    private boolean known(TestMail item) {
        return Optional.ofNullable(item.id())
                .flatMap(id -> results.find(new MessageRef(item.messageRef()), id))
                .filter(test -> test.result().state() != State.QUEUED)
                .isPresent();
    }

    private void note(TestMail item, Result result) {
        if (item.id() != null) {
            results.note(new MessageRef(item.messageRef()), item.id(), result);
        }
    }
}
