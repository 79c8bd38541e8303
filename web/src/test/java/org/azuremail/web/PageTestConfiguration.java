package org.azuremail.web;

import java.util.List;
import org.azuremail.delivery.archive.FigureRequests;
import org.azuremail.delivery.archive.OutcomeArchive;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.figures.FigureCounts;
import org.azuremail.figures.FigureStore;
import org.azuremail.list.ListStore;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.storage.Storage;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.time.Time;
import org.azuremail.web.block.ThirdBlock;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Scope;
import org.springframework.test.web.servlet.MockMvc;

/** The beans that all tests of pages use. */
@TestConfiguration(proxyBeanMethods = false)
public class PageTestConfiguration {

    public static final String PASSWORD = "seven wet otters";
    public static final String API_KEY = "tests-use-this-admin-key-0123456789";

    @Bean
    @Primary
    ManualTime manualTime() {
        return new ManualTime();
    }

    @Bean
    SimulatedStorage simulatedStorage(ManualTime time) {
        return new SimulatedStorage(time);
    }

    @Bean
    Storage storage(SimulatedStorage simulated) {
        return simulated.storage();
    }

    @Bean
    @Scope("prototype")
    TestBrowser testBrowser(MockMvc mvc) {
        return new TestBrowser(mvc);
    }

    @Bean
    ThirdBlock thirdBlock() {
        return new ThirdBlock(List.of("pear", "fig"));
    }

    @Bean
    EndedMessage endedMessage(
            ListStore lists,
            Messages messages,
            MessageStore store,
            DeliveryStore deliveries,
            OutcomeArchive archive,
            Time time) {
        return new EndedMessage(lists, messages, store, deliveries, archive, time);
    }

    @Bean
    FigureCounts figureCounts(
            FigureRequests wanted, MessageStore messages, DeliveryStore deliveries, FigureStore figures, Time time) {
        return new FigureCounts(wanted, messages, deliveries, figures, time);
    }
}
