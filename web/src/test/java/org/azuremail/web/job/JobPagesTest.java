package org.azuremail.web.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.azuremail.blobset.InlineJobs;
import org.azuremail.blobset.SetJob;
import org.azuremail.blobset.SetJobs;
import org.azuremail.id.IdSource;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.list.Segment;
import org.azuremail.list.SegmentName;
import org.azuremail.list.SegmentStore;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.storage.Storage;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.azuremail.web.live.LiveSource;
import org.azuremail.work.lease.Lock;
import org.azuremail.work.lease.Locks;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;

/** Checks that the pages start, follow and cancel jobs. */
@PageTest
class JobPagesTest {

    private static int number;

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @Autowired
    ListStore lists;

    @Autowired
    SegmentStore segments;

    @Autowired
    Subscriptions subscriptions;

    @Autowired
    Storage storage;

    @Autowired
    IdSource ids;

    @Autowired
    List<SetJob<?, ?>> functions;

    @Autowired
    SetJobs jobs;

    @Autowired
    JobPages live;

    @Autowired
    ManualTime time;

    @Autowired
    Locks locks;

    private ListName list;
    private TestBrowser browser;

    @BeforeEach
    void aListWithPeople() throws Exception {
        list = new ListName("jobs_" + ++number);
        lists.create(MailingList.of(
                list, "", new Mailbox(new EmailAddress("a@example.org"), ""), OptIn.DOUBLE, time.instant()));
        IntStream.range(0, 12)
                .forEach(i -> subscriptions.adminAdd(
                        list, new EmailAddress("p" + i + "@example.org"), Profile.NONE, i > 0, Origin.admin("test")));
        browser = browsers.getObject().signIn();
    }

    private String started(String job, String segment) throws Exception {
        browser.open("/jobs/new?list=" + list)
                .submit("/jobs", segment.isEmpty() ? Map.of("job", job) : Map.of("job", job, "segment", segment));
        assertThat(browser.address()).startsWith("/jobs/");
        return browser.address().substring("/jobs/".length());
    }

    private void finish(String job) {
        new InlineJobs(storage, time, ids, () -> functions).finish(job);
    }

    @Test
    void statisticsOfASegmentAreFollowedUntilTheyAreThere() throws Exception {
        String rules = "{\"what\":\"address\",\"test\":\"begins-with\",\"value\":\"p1\"}";
        segments.insert(new Segment(list, new SegmentName("ones"), "Ones", rules));
        String job = started("statistics", "ones");
        assertThat(browser.text()).contains("Statistics", "Running", "0 of 12 people processed", "ones");
        assertThat(browser.page().select("#progress").attr("data-live")).isEqualTo("job." + job);
        LiveSource.State before = live.findState(job).orElseThrow();

        finish(job);

        LiveSource.State after = live.findState(job).orElseThrow();
        assertThat(after.over()).isTrue();
        assertThat(after.version()).isNotEqualTo(before.version());
        browser.open("/jobs/" + job);
        assertThat(browser.page().select(".tile b").eachText()).containsExactly("3", "3");
        assertThat(browser.text()).contains("Done", "example.org", "By month").doesNotContain("Cancel");
        assertThat(browser.page().select("#progress").hasAttr("data-live")).isFalse();
        assertThat(browser.open("/jobs").text()).contains("Statistics", list.value(), "Segment ones");
    }

    @Test
    void unconfirmedPeopleAreAskedAgainAfterAQuestionThatSaysHowMany() throws Exception {
        browser.open("/lists/" + list);
        browser.open(browser.page()
                .select("a:contains(Ask unconfirmed people again)")
                .attr("href"));
        assertThat(browser.text()).contains("One person has not confirmed yet.");
        assertThat(browser.page().select("form[action=/jobs/ask-again] button").eachAttr("class"))
                .as("it destroys nothing")
                .isEmpty();
        Lock ofAProcessThatStopped = locks.acquire("asked-again." + list, Duration.ofMinutes(1), Duration.ZERO)
                .orElseThrow();
        browser.submit("/jobs/ask-again", Map.of());
        assertThat(browser.text()).contains("Nobody was asked").doesNotContain("already being asked again");
        ofAProcessThatStopped.close();
        browser.open("/jobs/ask-again?list=" + list);

        browser.submit("/jobs/ask-again", Map.of());
        assertThat(browser.text()).contains("Asking unconfirmed people again", "Running", "of 1 people processed");
        browser.open("/jobs/ask-again?list=" + list).submit("/jobs/ask-again", Map.of());
        assertThat(browser.text()).contains("already being asked again");
    }

    @Test
    void anExportIsDownloadedAsOneFile() throws Exception {
        String job = started("export", "");
        finish(job);

        assertThat(browser.open("/jobs/" + job).page().select(".tile b").eachText())
                .startsWith("12");
        String file = browser.open("/jobs/" + job + "/file").body();
        assertThat(file.lines().toList()).hasSize(13).first().asString().startsWith("email,name,state");
        assertThat(file.lines().filter(line -> line.endsWith("@example.org") || line.startsWith("p")))
                .doesNotHaveDuplicates()
                .hasSize(12);
    }

    @Test
    void aJobIsCancelledAfterAQuestionAndSaysByWhom() throws Exception {
        String job = started("export", "");
        browser.open("/jobs/" + job + "/cancel");
        assertThat(browser.page().select("form[action$=/cancel] button").eachAttr("class"))
                .containsExactly("danger");
        browser.submit("/jobs/" + job + "/cancel", Map.of());
        assertThat(browser.text()).contains("The job is cancelled.", "Cancelled by");

        finish(job);

        assertThat(jobs.find(job).orElseThrow().state().word()).isEqualTo("cancelled");
        assertThat(browser.open("/jobs/" + job + "/file").status()).isEqualTo(404);
        browser.open("/jobs/" + job + "/cancel").submit("/jobs/" + job + "/cancel", Map.of());
        assertThat(browser.text()).contains("The job is cancelled.");
        assertThat(browser.open("/jobs/nothing").status()).isEqualTo(404);
        assertThat(browser.open("/jobs?cursor=nothing").status()).isLessThan(500);
    }

    @Test
    void aLinkChoosesTheJobAndTheSegment() throws Exception {
        String rules = "{\"what\":\"address\",\"test\":\"begins-with\",\"value\":\"p1\"}";
        segments.insert(new Segment(list, new SegmentName("ones"), "Ones", rules));

        browser.open("/jobs/new?list=" + list + "&segment=ones&job=export");

        assertThat(browser.page().select("input[name=job][checked]").attr("value"))
                .isEqualTo("export");
        assertThat(browser.page().select("option[selected]").attr("value")).isEqualTo("ones");
        assertThat(browser.open("/segments/" + list + "/ones").page().select("a[href^=/jobs/new]"))
                .hasSize(1);
    }

    @Test
    void jobsWorkWithoutScriptAndTheTableFollowsByItself() throws Exception {
        started("statistics", "");
        browser.open("/jobs");

        assertThat(browser.page().select("#now").attr("hx-trigger")).isEqualTo("every 10s");
        assertThat(browser.page().select("form[action=/jobs/new] select option").eachText())
                .contains(list.value());
        assertThat(browser.open("/jobs-now").page().select("table tbody tr")).isNotEmpty();
    }
}
