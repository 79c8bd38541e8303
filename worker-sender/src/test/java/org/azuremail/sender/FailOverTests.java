package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.azuremail.limit.Limits;
import org.azuremail.limit.RateLimit;
import org.azuremail.limit.Tokens;
import org.azuremail.limit.Wait;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.mail.Answer;
import org.azuremail.mail.MailProperties.WhenFull;
import org.azuremail.mail.OnUnknown;
import org.azuremail.mail.Unavailable;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.route.Attempt;
import org.azuremail.route.Breaker;
import org.azuremail.route.Route;
import org.azuremail.route.Routes;
import org.azuremail.storage.Versioned;
import org.junit.jupiter.api.Test;

/** Whole campaigns with two transports, the second of which stands in for the first. */
class FailOverTests {

    private static final int RECIPIENTS = 41;
    private static final Unavailable DOWN = new Unavailable(Kind.WAIT, "no connection", Duration.ofSeconds(20));
    private static final Unavailable LOCKED = new Unavailable(Kind.PAUSE, "535 wrong password", Duration.ofMinutes(5));

    private SimulatedWorld world;
    private RecordingTransport first;
    private RecordingTransport second;
    private ListName list;
    private MessageRef ref;

    private void campaign(OnUnknown onUnknown) {
        world = new SimulatedWorld();
        first = world.transport;
        second = new RecordingTransport("stand-in", 3);
        world.second = second;
        world.restart();
        list = world.list("contoso1", RECIPIENTS, 0);
        ref = world.message(list, onUnknown);
    }

    private void turns(int count) {
        for (int turn = 0; turn < count; turn++) {
            world.process.turn();
            world.time.advance(Duration.ofSeconds(10));
        }
    }

    /** I1 to I3: everybody has one outcome, and whoever is Sent was taken by one of the two, once. */
    private void assertEverybodySentOnce() {
        world.assertAccounted(ref, verified("contoso1", RECIPIENTS));
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
        Map<String, Integer> taken = new TreeMap<>(first.taken());
        second.taken().forEach((mail, times) -> taken.merge(mail, times, Integer::sum));
        assertThat(taken).hasSize(RECIPIENTS).allSatisfy((mail, times) -> assertThat(times)
                .isOne());
    }

    @Test
    void theFirstTransportTakesAllWhileItCan() {
        campaign(OnUnknown.HOLD);

        world.runToEnd();

        assertEverybodySentOnce();
        assertThat(second.handOvers()).isZero();
        assertThat(world.transportOf(ref, "v07@contoso1.test")).isEqualTo("recording");
    }

    /** At each of its calls, before it or in it; at once or only after a while it comes back. */
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
    void whatIsInDoubtNeverGoesByTheOtherTransport() {
        campaign(OnUnknown.HOLD);
        first.answer((mail, attempt) -> new Answer.Unknown("502"));

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
    void whatIsInDoubtGoesOnceMoreAndOnlyOnceUnderResend() {
        campaign(OnUnknown.RESEND);
        first.answer((mail, attempt) -> new Answer.Unknown("502"));

        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", RECIPIENTS));
        Map<String, Integer> taken = new TreeMap<>(first.taken());
        second.taken().forEach((mail, times) -> taken.merge(mail, times, Integer::sum));
        assertThat(taken.values()).allSatisfy(times -> assertThat(times).isLessThanOrEqualTo(2));
    }

    @Test
    void aDaysLimitThatIsReachedIsWaitedForUnlessTheSettingSaysOtherwise() {
        campaign(OnUnknown.HOLD);
        limited(perDay(first, 10), mails -> Wait.NONE, WhenFull.WAIT);

        turns(30);

        assertThat(first.taken()).hasSize(10);
        assertThat(second.taken()).isEmpty();
    }

    @Test
    void whatADaysLimitKeepsBackGoesByTheNextTransport() {
        campaign(OnUnknown.HOLD);
        limited(perDay(first, 10), mails -> Wait.NONE, WhenFull.NEXT);

        world.runToEnd();

        assertEverybodySentOnce();
        assertThat(first.taken()).as("all that the first may take").hasSize(10);
        assertThat(second.taken()).hasSize(RECIPIENTS - 10);
    }

    @Test
    void whenAllAreFullTheMessageWaitsForTheEarliestAndSaysWhy() {
        campaign(OnUnknown.HOLD);
        limited(perDay(first, 10), perDay(second, 10), WhenFull.NEXT);

        turns(30);

        assertThat(first.taken()).hasSize(10);
        assertThat(second.taken()).hasSize(10);
        assertThat(world.find(ref).paused()).isFalse();
        assertThat(world.process.control.progress(world.find(ref)).notes()).allSatisfy(note -> assertThat(note)
                .startsWith("the limit of recording is reached: 10 mails a day; goes on at ")
                .contains(" – the limit of stand-in is reached: 10 mails a day; goes on at "));
        world.time.advance(Duration.ofHours(25));
        turns(30);
        world.time.advance(Duration.ofHours(25));
        world.runToEnd();
        assertEverybodySentOnce();
    }

    @Test
    void aRateThatOnlySpreadsTheMailsIsNoReasonToGoElsewhere() {
        campaign(OnUnknown.HOLD);
        RateLimit twoASecond = new RateLimit(world.storage.storage(), world.time, first.name(), Limits.perSecond(2));
        limited(twoASecond, mails -> Wait.NONE, WhenFull.NEXT);

        world.runToEnd();

        assertEverybodySentOnce();
        assertThat(second.taken()).isEmpty();
    }

    @Test
    void aSingleMailGoesByTheNextTooAndTakesATokenThere() {
        campaign(OnUnknown.HOLD);
        Routes routes = new Routes(
                List.of(route(first, WhenFull.NEXT), route(second, WhenFull.NEXT)),
                List.of(first.name(), second.name()));
        Attempt attempt = new Attempt("one", world.time);

        assertThat(names(routes, 3)).containsExactly(first.name(), second.name(), "none");
        assertThat(routes.pickForOne(null, attempt).limit().isZero()).isTrue();
        assertThat(((Routes.Pick.None) routes.pickForOne(null, attempt).pick())
                        .why()
                        .retryAfter())
                .isGreaterThan(Duration.ofHours(23));
    }

    private Route route(RecordingTransport transport, WhenFull whenFull) {
        Breaker breaker = new Breaker(world.storage.storage(), world.time, transport.name());
        return new Route(transport.name(), transport, perDay(transport, 1), breaker, whenFull);
    }

    private List<String> names(Routes routes, int count) {
        return IntStream.range(0, count)
                .mapToObj(who -> routes.pickForOne(null, new Attempt("who" + who, world.time))
                        .pick())
                .map(pick -> pick instanceof Routes.Pick.Taken by ? by.route().name() : "none")
                .toList();
    }

    private void limited(Tokens ofTheFirst, Tokens ofTheSecond, WhenFull whenFull) {
        world.limited = new SimulatedProcess.Limited(ofTheFirst, ofTheSecond, whenFull);
        world.restart();
    }

    private RateLimit perDay(RecordingTransport transport, int mails) {
        return new RateLimit(world.storage.storage(), world.time, transport.name(), new Limits(0, 0, 0, mails));
    }

    @Test
    void whenBothAreDownTheMessageWaitsAndGoesOnWithWhicheverComesBack() {
        campaign(OnUnknown.HOLD);
        first.unavailable(Optional.of(DOWN));
        second.unavailable(Optional.of(DOWN));

        turns(30);

        assertThat(world.outcomes(ref)).isEmpty();
        assertThat(world.find(ref).paused()).isFalse();
        assertThat(world.process.control.progress(world.find(ref)).notes())
                .anySatisfy(note -> assertThat(note).contains("recording", "stand-in", "no connection"));
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

    @Test
    void e25_wrongCredentialsOfAllTransportsPauseTheMessageAndResumeTriesAtOnce() {
        campaign(OnUnknown.HOLD);
        first.unavailableWhenAsked(Optional.of(LOCKED));
        second.unavailableWhenAsked(Optional.of(LOCKED));

        turns(20);

        assertThat(world.find(ref).paused()).isTrue();
        assertThat(world.find(ref).pauseReason()).contains("535");
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
        world.process.lists.update(stored.value().withTransport(transport), stored.etag());
    }
}
