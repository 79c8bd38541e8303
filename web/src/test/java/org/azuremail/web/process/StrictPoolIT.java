package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.azuremail.work.DrivenWorld;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.run.Workload;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Tests the places of a sending process with three connections to its mail server, one of which is for confirmations.
 */
class StrictPoolIT {

    private final DrivenWorld world = new DrivenWorld();
    private final IdleProcesses processes = new IdleProcesses(world);

    @AfterEach
    void close() {
        processes.close();
    }

    @Test
    @DisplayName(
            "R4, R15: in a strict pool no run of Low waits for a connection beside one of High, because there are as many"
                    + " places as connections; confirmations and test emails have places of their own, which they lend to nobody")
    void r4_aStrictPoolHasAsManyPlacesAsTheTransportsCanUse() {
        Map<String, Workload.QueueCounts> queues = places("strict");

        for (String queue :
                List.of("azuremailqueue-high", "azuremailqueue", "azuremailqueue-low", "azuremailaskqueue")) {
            assertThat(queues.get(queue).places()).as(queue).isEqualTo(2);
        }
        assertThat(queues.get("azuremailsubscribequeue").places()).isEqualTo(4);
        assertThat(queues.get("azuremailtestqueue").places()).isEqualTo(4);
    }

    @Test
    @DisplayName("R3: with a pool for each class, each has as many places as the transports can use")
    void r3_eachClassHasPlacesOfItsOwn() {
        Map<String, Workload.QueueCounts> queues = places("per-class", "azuremail.mail-classes.of.high.places=5");

        assertThat(queues.get("azuremailqueue-high").places()).isEqualTo(5);
        assertThat(queues.get("azuremailqueue").places()).isEqualTo(2);
        assertThat(queues.get("azuremailqueue-low").places()).isEqualTo(2);
        assertThat(queues.get("azuremailaskqueue").places()).isEqualTo(4);
    }

    @Test
    @DisplayName(
            "R4: with two transports, each class has places for both; a strict pool has as many as one can use, so that runs of"
                    + " Low are asked to end when High needs the same transport")
    void r4_aSecondTransportAddsPlacesForItsOwnLots() {
        String[] two = {
            "azuremail.mail.order=first,second",
            "azuremail.mail.transports.first.kind=smtp",
            "azuremail.mail.transports.first.smtp.host=localhost",
            "azuremail.mail.transports.first.smtp.connections=3",
            "azuremail.mail.transports.second.kind=smtp",
            "azuremail.mail.transports.second.smtp.host=localhost",
            "azuremail.mail.transports.second.smtp.connections=2"
        };

        assertThat(placesWith("per-class", two).get("azuremailqueue-low").places())
                .isEqualTo(3);
        assertThat(placesWith("strict", two).get("azuremailqueue-low").places()).isEqualTo(2);
    }

    private Map<String, Workload.QueueCounts> places(String pool, String... settings) {
        List<String> all = new ArrayList<>(List.of(settings));
        all.addAll(List.of(
                "azuremail.mail.transport=smtp",
                "azuremail.mail.smtp.host=localhost",
                "azuremail.mail.smtp.connections=3"));
        return placesWith(pool, all.toArray(String[]::new));
    }

    private Map<String, Workload.QueueCounts> placesWith(String pool, String... settings) {
        List<String> all = new ArrayList<>(List.of(settings));
        all.add("azuremail.mail-classes.pool=" + pool);
        ConfigurableApplicationContext sender = processes.start("sender", all.toArray(String[]::new));
        world.run(Duration.ofMinutes(1));
        return sender.getBean(WorkRuntime.class).metrics().workload().snapshot();
    }
}
