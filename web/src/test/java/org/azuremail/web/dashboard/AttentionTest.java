package org.azuremail.web.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.azuremail.attention.Attention;
import org.azuremail.attention.Cause;
import org.azuremail.attention.ReportedCauses;
import org.azuremail.attention.SendingStatus;
import org.azuremail.delivery.MessageControl;
import org.azuremail.id.IdSource;
import org.azuremail.message.Message;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.CommitHealth;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.web.EndedMessage;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.azuremail.work.Switches;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.queue.DeadLetter;
import org.azuremail.work.queue.DeadLetters;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/**
 * Checks that the page lists everything that needs a person, each with a link to the page where the person can act. The
 * counts are those of the whole installation, so the class has its own: the property separates its context from the one
 * that other classes share.
 */
@PageTest
@TestPropertySource(properties = "azuremail.test.installation=attention")
@Import(AttentionTest.FullDisk.class)
@DirtiesContext
class AttentionTest {

    private static final AtomicBoolean DISK_FULL = new AtomicBoolean();

    @TestConfiguration
    static class FullDisk {

        @Bean
        @Primary
        CommitHealth fullDisk() {
            return DISK_FULL::get;
        }
    }

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @Autowired
    EndedMessage made;

    @Autowired
    MessageControl control;

    @Autowired
    Switches switches;

    @Autowired
    Attention attention;

    @Autowired
    SendingStatus status;

    @Autowired
    DeadLetters deadLetters;

    @Autowired
    Storage storage;

    @Autowired
    SimulatedStorage simulated;

    @Autowired
    ManualTime time;

    TestBrowser browser;

    private Element item(String title) throws Exception {
        time.advance(Duration.ofSeconds(6));
        browser = browsers.getObject().signIn().open("/");
        assertThat(browser.page().select("#attention strong").eachText()).contains(title);
        return browser.page().select("#attention li").stream()
                .filter(item -> item.select("strong").text().equals(title))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aStorageThatSavesNothingIsToldFirst() throws Exception {
        made.completed("full", Map.of("a@full.test", Outcome.UNKNOWN));
        DISK_FULL.set(true);
        try {
            assertThat(item("AzureMail cannot save anything").text())
                    .contains("full or read-only", "continue automatically");
            assertThat(browser.page().select("#attention strong").first().text())
                    .isEqualTo("AzureMail cannot save anything");
        } finally {
            DISK_FULL.set(false);
        }
    }

    /** A page may have to create its table first. */
    @Test
    void aPageThatCannotSaveAnythingSaysWhy() throws Exception {
        browser = browsers.getObject().signIn();
        DISK_FULL.set(true);
        simulated.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.place().equals("suppression")) {
                    throw new StorageException(StorageException.Reason.UNAVAILABLE, "full", null);
                }
            }
        });
        try {
            assertThat(browser.open("/suppressions").status()).isEqualTo(503);
            assertThat(browser.page().select("h1").text()).isEqualTo("Nothing can be saved at the moment");
            assertThat(browser.text()).contains("full or read-only");
        } finally {
            simulated.hook(CallHook.NONE);
            DISK_FULL.set(false);
        }
    }

    @Test
    void unknownOutcomesLeadToTheirDecision() throws Exception {
        Message message = made.completed("doubt", Map.of("a@doubt.test", Outcome.UNKNOWN));

        Element item = item("‘News for doubt’: 1 outcome is unknown");

        assertThat(item.select("a").attr("href")).isEqualTo("/messages/" + message.ref() + "/unknown");
        assertThat(browser.open(item.select("a").attr("href")).status()).isEqualTo(200);
    }

    @Test
    void unknownOutcomesOfAMessageThatIsStillBeingSentAreToldToo() throws Exception {
        made.goingOut("halfway", Map.of("a@halfway.test", Outcome.UNKNOWN, "b@halfway.test", Outcome.UNKNOWN), 9);

        assertThat(item("‘News for halfway’: 2 outcomes are unknown").select("a"))
                .hasSize(1);
    }

    @Test
    void stoppedWorkIsStartedAgainWithOneClick() throws Exception {
        switches.stop("azuremailqueue", "ann@example.org");

        Element item = item("Stopped: List emails, Normal");
        assertThat(item.text()).contains("ann@example.org stopped this work");
        browser.submit("/operations/start", Map.of("name", "azuremailqueue"));

        assertThat(switches.stops()).isEmpty();
    }

    @Test
    void aStoppedServiceIsTold() throws Exception {
        switches.stop("list-deletion", "bob@example.org");

        assertThat(item("Stopped: Deleting lists").text()).contains("bob@example.org");
        switches.start("list-deletion");
    }

    @Test
    void aProviderThatIsWaitedForIsTriedAgainWithOneClick() throws Exception {
        Values down = Values.of("OpenUntil", time.instant().plusSeconds(600)).with("Reason", "The server is away.");
        new Table(storage.tables(), "work").write("breaker", Write.upsert("outbox", down));

        Element item = item("Sending through outbox is on hold");
        assertThat(item.text()).contains("The service tries again by itself. The reason: The server is away.");
        assertThat(browser.page().select("#unmailed").text())
                .contains("admins are not emailed about this until one does");
        browser.submit("/operations/try", Map.of("transport", "outbox"));

        assertThat(browser.open("/").page().select("#attention").text()).doesNotContain("on hold");
    }

    @Test
    void workThatWasGivenUpLeadsToTheDeadLetters() throws Exception {
        deadLetters.add(DeadLetter.of("azuremailqueue", "d1", "text", Reason.ofText("no"), time.instant(), 5));
        assertThat(item("1 piece of work has failed").select("a").attr("href")).isEqualTo("/dead-letters");

        deadLetters.add(DeadLetter.of("azuremailjobqueue", "d2", "text", Reason.ofText("no"), time.instant(), 5));
        assertThat(item("2 pieces of work have failed").text()).contains("gave up");
    }

    @Test
    void aQueueThatNobodyWorksOnIsTold() throws Exception {
        storage.queues().createQueue("azuremailimportqueue");
        storage.queues().send("azuremailimportqueue", "item");

        assertThat(item("No process works on: Imports").text()).contains("About 1 item is waiting");
    }

    /** A process that is killed and restarted again and again does not fill the page. */
    @Test
    void theSilentProcessesOfAHostAreOneProblem() throws Exception {
        heartbeatOn("mill");
        time.advance(Duration.ofMinutes(13));
        assertThat(item("The process on mill does not answer").text()).contains("It has missed its last heartbeats");

        heartbeatOn("mill");
        heartbeatOn("lake");
        time.advance(Duration.ofMinutes(13));
        assertThat(item("2 processes on mill do not answer").text()).contains("They have missed their last heartbeats");
        assertThat(item("The process on lake does not answer").select("a").attr("href"))
                .isEqualTo("/operations");
    }

    /**
     * The row of the first process expires between the two checks, so each check finds one dead process on the host.
     */
    @Test
    void aProcessThatDiesAfterAnotherOneOfItsHostWasForgottenIsNews() {
        heartbeatOn("dam");
        time.advance(Duration.ofMinutes(13));
        ReportedCauses.ReportPlan first = new ReportedCauses(Map.of()).plan(onHost("dam"), time.instant());
        assertThat(first.due()).hasSize(1);
        ReportedCauses told = first.marked().sure(time.instant());

        time.advance(Instances.RETENTION_AFTER_DEATH);
        heartbeatOn("dam").reapDead();
        time.advance(Duration.ofMinutes(13));
        ReportedCauses.ReportPlan second = told.plan(onHost("dam"), time.instant());

        assertThat(second.due()).singleElement().satisfies(cause -> assertThat(cause.values())
                .containsExactly("dam", 1L));
        assertThat(second.marked().plan(onHost("dam"), time.instant()).due()).isEmpty();
    }

    @Test
    void theProcessesOfAHostThatAreForgottenOneByOneAreNoNews() {
        for (int i = 0; i < 8; i++) {
            heartbeatOn("weir");
            time.advance(Duration.ofMinutes(1));
        }
        time.advance(Duration.ofMinutes(13));
        ReportedCauses.ReportPlan first = new ReportedCauses(Map.of()).plan(onHost("weir"), time.instant());
        assertThat(first.due()).hasSize(1);
        ReportedCauses told = first.marked().sure(time.instant());

        time.advance(Instances.RETENTION_AFTER_DEATH.minusMinutes(10));
        List<Cause> left = onHost("weir");
        while (!left.isEmpty()) {
            heartbeatOn("elsewhere").reapDead();
            left = onHost("weir");
            ReportedCauses.ReportPlan next = told.plan(left, time.instant());
            assertThat(next.again()).as("nor any after the hour").isEmpty();
            told = next.seen();
            time.advance(Duration.ofMinutes(1));
        }
    }

    private List<Cause> onHost(String host) {
        return attention.causes(status.sample(1, 1)).stream()
                .filter(cause -> cause.values().contains(host))
                .toList();
    }

    private Instances heartbeatOn(String host) {
        Instances process = new Instances(storage, time, IdSource.secure()::token, Stream::empty);
        process.register(new Instances.Registration(host, Set.of("sender"), Set.of(), Set.of(), ""));
        process.heartbeat();
        return process;
    }

    @Test
    void aMessageThatTheServicePausedSaysWhy() throws Exception {
        Message message = made.processing("held");
        control.pause(message.ref(), Reason.of(ReasonCode.LIST_GONE, "held"));

        assertThat(item("‘News for held’ is paused").select("a").attr("href")).isEqualTo("/messages/" + message.ref());
    }

    @Test
    void aMessageThatAPersonPausedNeedsNobody() throws Exception {
        Message message = made.processing("resting");
        control.pause(message.ref(), Reason.NONE);

        browser = browsers.getObject().signIn().open("/");
        assertThat(browser.page().select("#attention").text()).doesNotContain("resting");
    }

    @Test
    void anInstallationWithoutAMailServerSaysSoOnceTheChecklistDoesNot() throws Exception {
        browser = browsers.getObject().signIn().open("/");
        assertThat(browser.page().select("#attention").text()).doesNotContain("No mail server");
        browser.submit("/dashboard/hide-checklist", Map.of());
        assertThat(item("No mail server is set up").select("a").attr("href")).isEqualTo("/settings");
    }
}
