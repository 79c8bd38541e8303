package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicBoolean;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.delivery.MessageControl;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.Lists;
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
import org.azuremail.reason.Reason;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.work.DrivenWorld;
import org.springframework.context.ApplicationContext;

/** A message to one subscriber. One process creates it and reads its progress. */
final class IdleMessage {

    private static final ListName LIST = new ListName("contoso1");

    static final int PAUSED_READERS = 200;

    private IdleMessage() {}

    static MessageRef write(ApplicationContext web, Instant due) {
        return write(web, due, 1, 1);
    }

    private static MessageRef write(ApplicationContext web, Instant due, int shards, int readers) {
        Mailbox from = new Mailbox(EmailAddress.parse("news@example.org").orElseThrow(), "");
        web.getBean(ListStore.class)
                .create(Lists.with(MailingList.of(LIST, "News", from, OptIn.SINGLE, due), "shards", shards));
        for (int i = 0; i < readers; i++) {
            EmailAddress reader =
                    EmailAddress.parse("reader" + i + "@example.com").orElseThrow();
            web.getBean(Subscriptions.class).adminAdd(LIST, reader, Profile.NONE, true, Origin.admin("ann"));
        }
        Messages.MessageCreateResult creation = web.getBean(Messages.class)
                .create(new Messages.NewMessage(
                        LIST,
                        Draft.of("News", "<html><body><p>Hello</p></body></html>", null),
                        new Schedule(due, ZoneOffset.UTC),
                        OnUnknown.HOLD,
                        "ann",
                        false));
        return ((Messages.MessageCreateResult.Created) creation).message().ref();
    }

    /** Creates a message to people in all 16 shards of a list. It is paused as soon as its first range is queued. */
    static MessageRef writePaused(DrivenWorld world, ApplicationContext web) {
        MessageRef ref = write(web, world.time.instant(), 16, PAUSED_READERS);
        AtomicBoolean pausing = new AtomicBoolean();
        world.storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                boolean queues = call.kind() == Call.Kind.SEND && call.place().equals("azuremailqueue");
                if (queues && !pausing.getAndSet(true)) {
                    web.getBean(MessageControl.class).pause(ref, Reason.NONE);
                }
            }
        });
        world.run(Duration.ofMinutes(1));
        world.storage.hook(CallHook.NONE);
        Message paused = message(web, ref);
        assertThat(paused.paused()).isTrue();
        assertThat(paused.status()).isEqualTo(MessageStatus.PROCESSING);
        return ref;
    }

    static boolean taken(ApplicationContext web, MessageRef ref) {
        return message(web, ref).status() != MessageStatus.PENDING;
    }

    /** Returns how many emails were sent, or 0 until the message is completed. */
    static long sent(ApplicationContext web, MessageRef ref) {
        Message message = message(web, ref);
        return message.status() == MessageStatus.COMPLETED
                ? message.result().counts().sent()
                : 0;
    }

    /** Returns how many emails were sent, even before the scheduler completes the message. */
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
