package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.azuremail.content.Escaping;
import org.azuremail.list.Lists;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.Answer;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent.MailHeader;
import org.azuremail.mail.MailLot;
import org.azuremail.reason.Reason;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.subscription.ConfirmationClaims.ConfirmationItem;
import org.azuremail.subscription.ConfirmationSeals.ConfirmationLink;
import org.azuremail.subscription.subscriber.Declaration.Kind;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks the email that a list sends to people who have just confirmed or subscribed. */
class WelcomeEmailTest {

    private ConfirmationWorld world = new ConfirmationWorld();

    @Test
    void aListThatDoesNotSayOtherwiseSendsNone() {
        world.subscribeBob();
        world.drain();
        confirmBob();
        world.tenMinutes();

        assertThat(world.transport.taken).hasSize(1);
        assertThat(world.bob().bookkeeping().chore()).isNull();
    }

    @Test
    void aPersonWhoConfirmsGetsOneWithAWayOut() {
        aListThatWelcomes(OptIn.DOUBLE);
        world.subscribeBob();
        world.drain();
        confirmBob();
        confirmBob();
        world.tenMinutes();

        assertThat(world.transport.taken).hasSize(2);
        MailLot lot = world.transport.taken.get(1);
        Mail mail = lot.mails().get(0);
        assertThat(mail.to().address().value()).isEqualTo("Bob@example.org");
        assertThat(lot.content().subject().merge(mail.fields(), Escaping.ONE_LINE))
                .isEqualTo("Welcome to The News");
        String out = "https://lists.example.org/unsubscribe?id=" + world.bob().guid() + "&listName=news";
        assertThat(lot.content().text().merge(mail.fields(), Escaping.NONE)).contains(out);
        assertThat(lot.content().html().merge(mail.fields(), Escaping.HTML)).contains(out.replace("&", "&amp;"));
        assertThat(lot.content().headers())
                .extracting(MailHeader::name)
                .contains("List-Unsubscribe", "List-Unsubscribe-Post", "Auto-Submitted");
        assertThat(world.bob().consent().latest(Kind.WELCOME_SENT).orElseThrow().detail())
                .isEqualTo(lot.content().id());
        assertThat(world.bob().bookkeeping().chore()).isNull();
    }

    @Test
    void aPersonWhoSubscribesWithoutConfirmationGetsOneAtOnceAndOnlyOnce() {
        aListThatWelcomes(OptIn.SINGLE);
        world.subscribeBob();
        world.subscribeBob();
        world.tenMinutes();

        assertThat(world.transport.taken).hasSize(1);
        assertThat(world.bob().state()).isEqualTo(SubscriberState.SUBSCRIBED);
        assertThat(world.bob().consent().latest(Kind.WELCOME_SENT)).isPresent();
    }

    @Test
    void nothingThatSomebodyTypedIsInIt() {
        aListThatWelcomes(OptIn.SINGLE);
        world.subscribeBob();
        world.drain();

        Mail mail = world.transport.taken.get(0).mails().get(0);
        assertThat(mail.to().name()).isEmpty();
        assertThat(mail.fields().values()).noneMatch(value -> value.contains("Bob"));
    }

    @Test
    void aPersonWhoLeavesBeforeItIsSentDoesNotGetIt() {
        aListThatWelcomes(OptIn.SINGLE);
        world.subscribeBob();
        world.feature.subscriptions().leave(ConfirmationWorld.LIST, world.bob().guid(), Origin.link(null));
        world.tenMinutes();

        assertThat(world.transport.taken).isEmpty();
        assertThat(world.bob().bookkeeping().chore()).isNull();
    }

    @Test
    void peopleWhoAskAgainAfterLeavingAndConfirmGetAnotherOne() {
        aListThatWelcomes(OptIn.DOUBLE);
        for (int round = 1; round <= 2; round++) {
            world.subscribeBob();
            world.drain();
            confirmBob();
            world.tenMinutes();
            assertThat(world.transport.taken).hasSize(2 * round);
            world.feature
                    .subscriptions()
                    .leave(ConfirmationWorld.LIST, world.bob().guid(), Origin.link(null));
        }
        assertThat(world.transport.taken)
                .extracting(lot -> lot.mails().get(0).messageId())
                .doesNotHaveDuplicates();
    }

    @Test
    void aRefusalEndsItWithItsReasonAndDoubtWithASecondTry() {
        aListThatWelcomes(OptIn.SINGLE);
        world.transport.next(new Answer.Unknown(Reason.ofText("connection broke")));
        world.transport.next(new Answer.Refused("no such mailbox"));
        world.subscribeBob();
        world.tenMinutes();

        assertThat(world.transport.taken).hasSize(2);
        assertThat(world.bob()
                        .consent()
                        .latest(Kind.WELCOME_FAILED)
                        .orElseThrow()
                        .detailText())
                .isEqualTo("no such mailbox");
        assertThat(world.bob().consent().latest(Kind.CONFIRMATION_FAILED)).isEmpty();
    }

    /**
     * Every storage call from the click to the end of the hand-over goes wrong, in five ways: the email is sent, at
     * most twice.
     */
    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void noFaultAtAnyStorageCallLosesAWelcomeEmail(Faults.Mode mode) {
        boolean happened = true;
        for (long at = 1; happened; at++) {
            world = new ConfirmationWorld();
            aListThatWelcomes(OptIn.DOUBLE);
            world.subscribeBob();
            world.drain();
            ConfirmationLink link = mailed();
            Faults faults = new Faults(mode, at, () -> {});
            world.restart(faults.around(world.simulated.storage()));
            confirmAndSend(link);
            happened = faults.calls() >= at;
            world.restart(world.simulated.storage());
            confirm(link);
            world.tenMinutes();

            String where = mode + " at call " + at;
            assertThat(world.bob().consent().latest(Kind.WELCOME_SENT))
                    .as(where)
                    .isPresent();
            assertThat(world.bob().bookkeeping().chore()).as(where).isNull();
            assertThat(world.transport.taken).as(where).hasSizeBetween(2, 3);
        }
    }

    private void confirmAndSend(ConfirmationLink link) {
        try {
            confirm(link);
            world.handle(new ConfirmationItem(link.guid(), ConfirmationWorld.LIST));
        } catch (ProcessDied | StorageException expected) {
            assertThat(expected).isNotNull();
        }
    }

    private void aListThatWelcomes(OptIn optIn) {
        Versioned<MailingList> list = world.lists.find(ConfirmationWorld.LIST).orElseThrow();
        MailingList welcoming = MailingList.of(
                list.value().name(),
                list.value().description(),
                list.value().from(),
                optIn,
                list.value().createdAt());
        world.lists.update(Lists.with(welcoming, "welcome", true), list.etag());
    }

    private void confirmBob() {
        confirm(mailed());
    }

    private void confirm(ConfirmationLink link) {
        world.feature.subscriptions().confirm(ConfirmationWorld.LIST, link, Origin.link(null));
    }

    /** Returns the link in the last confirmation. */
    private ConfirmationLink mailed() {
        return world.transport.taken.stream()
                .map(lot -> lot.mails().get(0).fields().get("confirm"))
                .filter(Objects::nonNull)
                .reduce((one, next) -> next)
                .map(link -> link.substring(link.indexOf("id=") + 3, link.indexOf("&listName=")))
                .flatMap(ConfirmationLink::parse)
                .orElseThrow();
    }
}
