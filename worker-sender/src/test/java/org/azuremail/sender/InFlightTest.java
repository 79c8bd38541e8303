package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.azuremail.limit.Limits;
import org.azuremail.limit.RateLimit;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailProperties.WhenFull;
import org.azuremail.mail.MailTransport;
import org.azuremail.route.Breaker;
import org.azuremail.route.EmailCounts;
import org.azuremail.route.FixedRoutes;
import org.azuremail.route.Route;
import org.azuremail.route.Routes;
import org.azuremail.storage.Storage;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks how many confirmations are on their way at the same time. */
class InFlightTest {

    @ParameterizedTest
    @CsvSource({"1, 4", "3, 6", "8, 16", "49, 16"})
    void confirmationsAreTwiceAsManyAsLotsWithinBounds(int lots, int confirmations) {
        assertThat(ConfirmationSender.inFlight(routes(lots))).isEqualTo(confirmations);
    }

    private static Routes routes(int lots) {
        ManualTime time = new ManualTime();
        Storage storage = new SimulatedStorage(time).storage();
        RateLimit limit = new RateLimit(storage, time, "some", Limits.NONE);
        Route route = new Route(
                "some",
                new Transport(lots),
                limit,
                new Breaker(storage, time, "some", (unused, state) -> {}),
                WhenFull.WAIT,
                new EmailCounts());
        return FixedRoutes.of(List.of(route), List.of("some"));
    }

    private record Transport(int concurrency) implements MailTransport {

        @Override
        public String name() {
            return "some";
        }

        @Override
        public int lotSize() {
            return 1;
        }

        @Override
        public HandOverResult handOver(MailLot lot, Guard guard) {
            throw new AssertionError("nobody hands anything over");
        }
    }
}
