package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.azuremail.limit.Limits;
import org.azuremail.limit.RateLimit;
import org.azuremail.limit.RateLimitWait;
import org.azuremail.limit.TokenSource;
import org.azuremail.mail.MailProperties.WhenFull;
import org.azuremail.mail.OnUnknown;
import org.azuremail.route.Attempt;
import org.azuremail.route.Breaker;
import org.azuremail.route.EmailCounts;
import org.azuremail.route.FixedRoutes;
import org.azuremail.route.Route;
import org.azuremail.route.Routes;
import org.junit.jupiter.api.Test;

/** Checks whether emails wait or use the second transport when the first has reached its limit. */
class FullTransportTests extends OnTwoTransports {

    @Test
    void aDaysLimitThatIsReachedIsWaitedForUnlessTheSettingSaysOtherwise() {
        campaign(OnUnknown.HOLD);
        limited(perDay(first, 10), mails -> RateLimitWait.NONE, WhenFull.WAIT);

        turns(30);

        assertThat(first.taken()).hasSize(10);
        assertThat(second.taken()).isEmpty();
    }

    @Test
    void mailsThatADailyLimitHoldsBackGoByTheNextTransport() {
        campaign(OnUnknown.HOLD);
        limited(perDay(first, 10), mails -> RateLimitWait.NONE, WhenFull.NEXT);

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
        assertThat(world.process.control.progress(world.find(ref)).waitReasons())
                .allSatisfy(note -> assertThat(note)
                        .asString()
                        .startsWith("the limit of recording is reached: 10 emails a day; sending continues at ")
                        .contains(" – the limit of stand-in is reached: 10 emails a day; sending continues at "));
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
        limited(twoASecond, mails -> RateLimitWait.NONE, WhenFull.NEXT);

        world.runToEnd();

        assertEverybodySentOnce();
        assertThat(second.taken()).isEmpty();
    }

    @Test
    void aSingleMailGoesByTheNextTooAndTakesATokenThere() {
        campaign(OnUnknown.HOLD);
        Routes routes = FixedRoutes.of(
                List.of(route(first, WhenFull.NEXT), route(second, WhenFull.NEXT)),
                List.of(first.name(), second.name()));
        Attempt attempt = new Attempt("one", world.time, () -> true);

        assertThat(names(routes, 3)).containsExactly(first.name(), second.name(), "none");
        assertThat(routes.pickForOne(null, attempt).limit().isZero()).isTrue();
        assertThat(((Routes.Pick.None) routes.pickForOne(null, attempt).pick())
                        .unavailable()
                        .retryAfter())
                .isGreaterThan(Duration.ofHours(23));
    }

    private Route route(RecordingTransport transport, WhenFull whenFull) {
        Breaker breaker = new Breaker(world.storage.storage(), world.time, transport.name(), (unused, state) -> {});
        return new Route(transport.name(), transport, perDay(transport, 1), breaker, whenFull, new EmailCounts());
    }

    private List<String> names(Routes routes, int count) {
        return IntStream.range(0, count)
                .mapToObj(who -> routes.pickForOne(null, new Attempt("who" + who, world.time, () -> true))
                        .pick())
                .map(pick -> pick instanceof Routes.Pick.Selected selected
                        ? selected.route().name()
                        : "none")
                .toList();
    }

    private void limited(TokenSource ofTheFirst, TokenSource ofTheSecond, WhenFull whenFull) {
        world.limited = new SimulatedProcess.Limited(ofTheFirst, ofTheSecond, whenFull);
        world.restart();
    }

    private RateLimit perDay(RecordingTransport transport, int mails) {
        return new RateLimit(world.storage.storage(), world.time, transport.name(), new Limits(0, 0, 0, mails));
    }
}
