package org.azuremail.web.process;

import java.time.Instant;
import java.time.ZoneOffset;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.delivery.MessageControl;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Messages;
import org.azuremail.message.Schedule;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.springframework.context.ApplicationContext;

/** A message to one subscriber, written in one process and asked after there. */
final class IdleMessage {

    private static final ListName LIST = new ListName("contoso1");

    private IdleMessage() {}

    static MessageRef write(ApplicationContext web, Instant due) {
        Mailbox from = new Mailbox(EmailAddress.parse("news@example.org").orElseThrow(), "");
        web.getBean(ListStore.class)
                .create(MailingList.of(LIST, "News", from, OptIn.SINGLE, due).withShards(1));
        web.getBean(Subscriptions.class)
                .adminAdd(
                        LIST,
                        EmailAddress.parse("reader@example.com").orElseThrow(),
                        Profile.NONE,
                        true,
                        Origin.admin("ann"));
        Messages.Creation creation = web.getBean(Messages.class)
                .create(new Messages.NewMessage(
                        LIST,
                        Draft.of("News", "<html><body><p>Hello</p></body></html>", null),
                        new Schedule(due, ZoneOffset.UTC),
                        OnUnknown.HOLD,
                        "ann"));
        return ((Messages.Creation.Created) creation).message().ref();
    }

    static boolean taken(ApplicationContext web, MessageRef ref) {
        return message(web, ref).status() != MessageStatus.PENDING;
    }

    /** Only once it is completed. */
    static long sent(ApplicationContext web, MessageRef ref) {
        Message message = message(web, ref);
        return message.status() == MessageStatus.COMPLETED
                ? message.result().counts().sent()
                : 0;
    }

    /** As soon as its outcome is counted, before the scheduler completes the message. */
    static long emailed(ApplicationContext web, MessageRef ref) {
        return web.getBean(MessageControl.class)
                .progress(message(web, ref))
                .counts()
                .sent();
    }

    private static Message message(ApplicationContext web, MessageRef ref) {
        return web.getBean(Messages.class).find(ref).orElseThrow();
    }
}
