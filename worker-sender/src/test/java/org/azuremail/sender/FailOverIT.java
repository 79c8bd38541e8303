package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.azuremail.list.Lists;
import org.azuremail.list.MailingList;
import org.azuremail.mail.Answer;
import org.azuremail.mail.OnUnknown;
import org.azuremail.mail.Unavailable;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Versioned;
import org.junit.jupiter.api.Test;

/** Checks campaigns with two transports, the second of which replaces the first when it fails. */
class FailOverIT extends OnTwoTransports {

    private static final Unavailable DOWN =
            new Unavailable(Kind.WAIT, Reason.ofText("no connection"), Duration.ofSeconds(20));
    private static final Unavailable LOCKED =
            new Unavailable(Kind.PAUSE, Reason.ofText("535 wrong password"), Duration.ofMinutes(5));
    private static final Unavailable LARGE =
            new Unavailable(Kind.MESSAGE, Reason.ofText("552 too large"), Duration.ofMinutes(5));

    @Test
    void theFirstTransportTakesAllWhileItCan() {
        campaign(OnUnknown.HOLD);

        world.runToEnd();

        assertEverybodySentOnce();
        assertThat(second.handOvers()).isZero();
        assertThat(world.transportOf(ref, "v07@contoso1.test")).isEqualTo("recording");
    }

    /** The first transport fails at each call, before or within it, and recovers at once or after a while. */
    @Test
    void theFirstTransportMayGoDownAtEveryCallAndNobodyIsLostOrDoubled() {
        campaign(OnUnknown.HOLD);
        world.runToEnd();
        int calls = first.handOvers();
        for (int call = 1; call <= calls; call++) {
            for (Unavailable why : List.of(DOWN, LOCKED)) {
                for (int answered = 0; answered <= first.lotSize(); answered++) {
                    goesDown(call, why, answered);
                }
            }
        }
        System.out.printf("fail-over: %d calls, 2 reasons, %d places in a lot%n", calls, first.lotSize() + 1);
        assertThat(calls).isGreaterThan(5);
    }

    private void goesDown(int call, Unavailable why, int answered) {
        campaign(OnUnknown.HOLD);
        first.closesAt(call, answered, why);

        world.runToEnd();

        assertEverybodySentOnce();
        assertThat(first.handOvers()).as("call %d, %s", call, why.kind()).isGreaterThanOrEqualTo(call);
        assertThat(second.taken().size() + first.taken().size()).isEqualTo(RECIPIENTS);
        assertThat(world.find(ref).paused()).isFalse();
    }

    @Test
    void mailsInDoubtNeverGoByTheOtherTransport() {
        campaign(OnUnknown.HOLD);
        first.answer((mail, attempt) -> new Answer.Unknown(Reason.ofText("502")));

        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", RECIPIENTS));
        long unknown = SimulatedWorld.count(world.outcomes(ref), Outcome.UNKNOWN);
        assertThat(first.handOvers()).as("two lots, then the breaker").isEqualTo(2);
        assertThat(unknown).isPositive().isLessThanOrEqualTo(2L * first.lotSize());
        assertThat(first.taken().keySet())
                .doesNotContainAnyElementsOf(second.taken().keySet());
        assertThat(second.taken()).hasSize(RECIPIENTS - (int) unknown);
    }

    @Test
    void mailsInDoubtGoOnceMoreAndOnlyOnceUnderResend() {
        campaign(OnUnknown.RESEND);
        first.answer((mail, attempt) -> new Answer.Unknown(Reason.ofText("502")));

        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", RECIPIENTS));
        Map<String, Integer> taken = new TreeMap<>(first.taken());
        second.taken().forEach((mail, times) -> taken.merge(mail, times, Integer::sum));
        assertThat(taken.values()).allSatisfy(times -> assertThat(times).isLessThanOrEqualTo(2));
    }

    @Test
    void whenBothAreDownTheMessageWaitsAndGoesOnWithWhicheverComesBack() {
        campaign(OnUnknown.HOLD);
        first.unavailable(Optional.of(DOWN));
        second.unavailable(Optional.of(DOWN));

        turns(30);

        assertThat(world.outcomes(ref)).isEmpty();
        assertThat(world.find(ref).paused()).isFalse();
        assertThat(world.process.control.progress(world.find(ref)).waitReasons())
                .anySatisfy(note -> assertThat(note).asString().contains("recording", "stand-in", "no connection"));
        second.unavailable(Optional.empty());
        world.runToEnd();
        assertEverybodySentOnce();
        assertThat(first.handOvers()).isZero();
    }

    @Test
    void theFirstTransportIsUsedAgainWhenItIsBack() {
        campaign(OnUnknown.HOLD);
        first.unavailable(Optional.of(DOWN));
        world.process.look();
        world.process.drain(world.process.fanOut);
        world.process
                .receive(world.process.sender, 1)
                .forEach(item -> world.process.handle(world.process.sender, item));
        assertThat(second.taken()).isNotEmpty();

        first.unavailable(Optional.empty());
        world.time.advance(Duration.ofMinutes(1));
        world.runToEnd();

        assertEverybodySentOnce();
        assertThat(first.taken()).isNotEmpty();
    }

    @Test
    void e25_wrongCredentialsOfOneTransportPauseNothingWhileAnotherWorks() {
        campaign(OnUnknown.HOLD);
        first.unavailable(Optional.of(LOCKED));

        world.runToEnd();

        assertEverybodySentOnce();
        assertThat(second.taken()).hasSize(RECIPIENTS);
        assertThat(world.transportOf(ref, "v07@contoso1.test")).isEqualTo("stand-in");
    }

    /** Even the recipients who showed the fault do not wait, and other messages still use the first transport. */
    @Test
    void aMessageThatOneTransportRefusesGoesByAnother() {
        campaign(OnUnknown.HOLD);
        first.refusesEveryLot(LARGE);

        world.runToEnd();

        assertEverybodySentOnce();
        assertThat(second.taken()).hasSize(RECIPIENTS);
        first.refusesEveryLot(null);
        MessageRef other = world.message(world.list("contoso2", 5, 0), OnUnknown.HOLD);
        world.process.turn();
        assertThat(world.transportOf(other, "v03@contoso2.test")).isEqualTo("recording");
    }

    @Test
    void e25_wrongCredentialsOfAllTransportsPauseTheMessageAndResumeTriesAtOnce() {
        campaign(OnUnknown.HOLD);
        first.unavailableWhenAsked(Optional.of(LOCKED));
        second.unavailableWhenAsked(Optional.of(LOCKED));

        turns(20);

        assertThat(world.find(ref).paused()).isTrue();
        assertThat(world.find(ref).state().pauseReason()).asString().contains("535");
        assertThat(world.outcomes(ref)).isEmpty();
        first.unavailableWhenAsked(Optional.empty());
        assertThat(world.process.control.resume(ref)).isTrue();
        world.process.drain(world.process.sender);
        assertThat(first.taken()).as("resumed at once").isNotEmpty();
        world.runToEnd();
        assertEverybodySentOnce();
    }

    @Test
    void aListMayChooseAnotherTransportAndTheOthersStandIn() {
        campaign(OnUnknown.HOLD);
        choose("stand-in");
        second.closesAt(4, 1, DOWN);

        world.runToEnd();

        assertEverybodySentOnce();
        assertThat(second.taken().size()).isGreaterThanOrEqualTo(10);
        assertThat(first.taken()).isNotEmpty();
    }

    @Test
    void aTransportThatTheSettingsDoNotNameAnyMoreMeansTheUsualOrder() {
        campaign(OnUnknown.HOLD);
        choose("gone");

        world.runToEnd();

        assertEverybodySentOnce();
        assertThat(first.taken()).hasSize(RECIPIENTS);
    }

    private void choose(String transport) {
        Versioned<MailingList> stored = world.process.lists.find(list).orElseThrow();
        world.process.lists.update(Lists.with(stored.value(), "transport", transport), stored.etag());
    }
}
