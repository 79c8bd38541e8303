package org.azuremail.web.connector;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.apache.coyote.Processor;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;

/** Checks how an idle connector follows the clock. */
class LowWakeupProtocolTest {

    private final ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1);
    private final LowWakeupProtocol protocol = new LowWakeupProtocol();

    @BeforeEach
    void useTheClock() {
        clock.setRemoveOnCancelPolicy(true);
        protocol.setUtilityExecutor(clock);
    }

    @AfterEach
    void stopTheClock() {
        clock.shutdownNow();
    }

    private static Processor answer() {
        return (Processor) Proxy.newProxyInstance(
                Processor.class.getClassLoader(), new Class<?>[] {Processor.class}, (proxy, method, arguments) -> {
                    return switch (method.getName()) {
                        case "hashCode" -> System.identityHashCode(proxy);
                        case "equals" -> proxy == arguments[0];
                        default -> null;
                    };
                });
    }

    @Test
    void nothingIsDoneByTheClockWhileNoAnswerIsAwaited() {
        protocol.startAsyncTimeout();

        assertThat(clock.getQueue()).isEmpty();
    }

    @Test
    void answersOfOtherThreadsAreLookedAfterForAsLongAsThereAreAny() {
        Processor one = answer();
        Processor other = answer();
        protocol.addWaitingProcessor(one);
        protocol.addWaitingProcessor(other);
        assertThat(clock.getQueue()).hasSize(1);

        protocol.removeWaitingProcessor(one);
        assertThat(clock.getQueue()).hasSize(1);

        protocol.removeWaitingProcessor(other);
        assertThat(clock.getQueue()).isEmpty();
    }

    @Test
    void theServiceListensInThisWay() {
        TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory(0);
        factory.setAddress(InetAddress.getLoopbackAddress());
        new ConnectorConfiguration().lowWakeupProtocol(new ManualTime()).customize(factory);
        TomcatWebServer server = (TomcatWebServer) factory.getWebServer();
        try {
            server.start();
            assertThat(server.getTomcat().getConnector().getProtocolHandler())
                    .isInstanceOfSatisfying(
                            LowWakeupProtocol.class, lowWakeup -> assertThat(lowWakeup.getSelectorTimeout())
                                    .isEqualTo(LowWakeupProtocol.POLL_MILLIS));
        } finally {
            server.stop();
            server.destroy();
        }
    }
}
