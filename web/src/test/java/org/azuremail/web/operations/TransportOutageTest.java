package org.azuremail.web.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;

import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.web.EndedMessage;
import org.azuremail.web.PageTestConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Tests the Operations page while nothing is sent through a transport. */
class TransportOutageTest extends OnOperations {

    @Autowired
    EndedMessage messages;

    @Test
    void aTransportThatIsDownIsShownAndTriedAgainWhenAPersonSaysSo() throws Exception {
        Values down = Values.of("OpenUntil", time.instant().plusSeconds(600)).with("Reason", "no connection");
        new Table(storage.tables(), "work").write("breaker", Write.upsert("outbox", down));

        browser.signIn().open("/operations");
        assertThat(browser.page().select("#transport-outbox").text())
                .contains("Nothing is sent through outbox until", "no connection");
        assertThat(browser.page().select("#idle")).as("mail waits").isEmpty();
        mvc.perform(get("/api/v1/operations").header("Authorization", "Bearer " + PageTestConfiguration.API_KEY))
                .andExpect(jsonPath("$.waitingTransports[0].name").value("outbox"))
                .andExpect(jsonPath("$.waitingTransports[0].reason").value("no connection"));
        BooleanSupplier waits =
                messages.waiting("down", time.instant().plusSeconds(600), "outbox is not used until later");
        assertThat(waits.getAsBoolean()).isTrue();
        browser.submit("/operations/try", Map.of("transport", "outbox"));

        assertThat(waits.getAsBoolean()).isFalse();
        assertThat(browser.text()).contains("Sending is tried again now");
        assertThat(browser.page().select("#transport-outbox")).isEmpty();
    }

    @Test
    void whileEveryTransportIsLeftAloneMailHasNoEndButWaits() throws Exception {
        Values down = Values.of("OpenUntil", time.instant().plusSeconds(600)).with("Reason", "no connection");
        new Table(storage.tables(), "work").write("breaker", Write.upsert("outbox", down));
        storage.queues().createQueue(QUEUE);
        storage.queues().send(QUEUE, "item");
        storage.queues().createQueue("azuremailimportqueue");
        storage.queues().send("azuremailimportqueue", "item");
        time.advance(Duration.ofSeconds(5));

        browser.signIn().open("/operations");

        assertThat(cell(row(QUEUE), "Remaining")).isEqualTo("waits for outbox");
        assertThat(cell(row("azuremailimportqueue"), "Remaining")).isEqualTo("not known");
        String imports = "azuremailimportqueue";
        storage.queues().receive(imports, 32, Duration.ofHours(1)).forEach(item -> storage.queues()
                .delete(imports, item));
        browser.submit("/operations/try", Map.of("transport", "outbox"));
    }
}
