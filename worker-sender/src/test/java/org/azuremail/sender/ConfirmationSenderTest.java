package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.azuremail.content.Escaping;
import org.azuremail.limit.Limits;
import org.azuremail.limit.RateLimit;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailLot;
import org.azuremail.storage.simulated.Call;
import org.azuremail.subscription.ConfirmationClaims.ConfirmationItem;
import org.azuremail.subscription.ConfirmationSeals.ConfirmationLink;
import org.azuremail.subscription.Subscriptions.ConfirmResult;
import org.azuremail.subscription.Subscriptions.SubscribeResult;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Declaration.Kind;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.Test;

/** Checks the confirmation that is mailed, how often, and what it costs. */
class ConfirmationSenderTest {

    private ConfirmationWorld world = new ConfirmationWorld();

    @Test
    void e17_theConfirmationIsMailedOnceWithItsLinkAndWithoutAnUnsubscribeLink() {
        world.subscribeBob();
        world.tenMinutes();

        assertThat(world.transport.taken).hasSize(1);
        MailLot lot = world.transport.taken.get(0);
        Mail mail = lot.mails().get(0);
        assertThat(mail.to().address().value()).isEqualTo("Bob@example.org");
        String text = lot.content().text().merge(mail.fields(), Escaping.NONE);
        assertThat(text)
                .contains(
                        "https://lists.example.org/subscribe?id=" + world.bob().guid() + ".", "&listName=news")
                .doesNotContain("unsubscribe");
    }

    @Test
    void a63_theMailedLinkConfirmsAndSoDoesTheSameLinkOfASecondMail() {
        world.subscribeBob();
        world.drain();
        world.time.advance(Duration.ofSeconds(1));
        world.subscribeBob();
        world.drain();

        assertThat(world.transport.taken)
                .extracting(lot -> lot.mails().get(0).fields().get("confirm"))
                .hasSize(2)
                .containsOnly("https://lists.example.org/subscribe?id=" + mailed().id() + "&listName=news");
        assertThat(mailed().guid()).isEqualTo(world.bob().guid());
        assertThat(world.feature.subscriptions().confirm(ConfirmationWorld.LIST, mailed(), Origin.link(null)))
                .isInstanceOf(ConfirmResult.Confirmed.class);
    }

    @Test
    void theNameThatSomebodyTypedIsNotInTheMail() {
        world.subscribeBob();
        world.drain();

        MailLot lot = world.transport.taken.get(0);
        Mail mail = lot.mails().get(0);
        assertThat(mail.to().name()).isEmpty();
        assertThat(mail.fields().values()).noneMatch(value -> value.contains("Bob"));
    }

    private ConfirmationLink mailed() {
        String link = world.transport.taken.get(0).mails().get(0).fields().get("confirm");
        String id = link.substring(link.indexOf("id=") + 3, link.indexOf("&listName="));
        return ConfirmationLink.parse(id).orElseThrow();
    }

    @Test
    void aConfirmationCostsTwoBatchesAndFourReads() {
        world.subscribeBob();
        world.drain();
        world.time.advance(Duration.ofSeconds(1));
        world.subscribeBob();
        ConfirmationItem item = new ConfirmationItem(world.bob().guid(), ConfirmationWorld.LIST);

        world.simulated.resetCounters();
        world.handle(item);

        assertThat(world.transport.taken).hasSize(2);
        assertThat(world.simulated.callsByKind()).isEqualTo(Map.of(Call.Kind.GET, 4L, Call.Kind.WRITE, 2L));
    }

    @Test
    void timeAndContentVersionOfTheMailAreKeptAsProof() {
        world.subscribeBob();
        world.drain();

        Declaration sent = world.bob().consent().latest(Kind.CONFIRMATION_SENT).orElseThrow();
        assertThat(sent.at()).isEqualTo(world.time.instant());
        assertThat(sent.detail())
                .isEqualTo(world.transport.taken.get(0).content().id());
        assertThat(world.bob().bookkeeping().chore()).isNull();
    }

    @Test
    void e17_askingAgainMailsAgainWithAnotherMessageId() {
        world.subscribeBob();
        world.drain();
        world.time.advance(Duration.ofSeconds(1));

        assertThat(world.subscribeBob()).isInstanceOf(SubscribeResult.ConfirmationQueued.class);
        world.drain();

        assertThat(world.transport.taken)
                .extracting(lot -> lot.mails().get(0).messageId())
                .hasSize(2)
                .doesNotHaveDuplicates();
    }

    @Test
    void aConfirmationWaitsForTheRateLimitAndIsThenMailed() {
        world.rate = new RateLimit(world.simulated.storage(), world.time, "smtp", Limits.perSecond(1));
        world.restart(world.simulated.storage());
        world.rate.take(1);
        world.subscribeBob();
        ConfirmationItem item = new ConfirmationItem(world.bob().guid(), ConfirmationWorld.LIST);

        assertThat(world.handle(item)).isInstanceOf(WorkResult.RetryAfter.class);
        assertThat(world.transport.taken).isEmpty();

        world.time.advance(Duration.ofSeconds(1));
        assertThat(world.handle(item)).isEqualTo(WorkResult.DONE);
        assertThat(world.transport.taken).hasSize(1);
    }

    @Test
    void anItemThatComesTwiceMailsOnce() {
        world.subscribeBob();
        ConfirmationItem item = new ConfirmationItem(world.bob().guid(), ConfirmationWorld.LIST);

        assertThat(world.handle(item)).isEqualTo(WorkResult.DONE);
        assertThat(world.handle(item)).isEqualTo(WorkResult.DONE);

        assertThat(world.transport.taken).hasSize(1);
    }

    @Test
    void anItemWithOnlyAGuidFindsItsList() {
        world.subscribeBob();

        world.handle(ConfirmationItem.parse(world.bob().guid().value()));

        assertThat(world.transport.taken).hasSize(1);
    }
}
