package org.azuremail.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.azuremail.blobset.InlineJobs;
import org.azuremail.blobset.JobState;
import org.azuremail.blobset.SetJobs;
import org.azuremail.reason.ReasonCode;
import org.junit.jupiter.api.Test;

/** Checks the jobs that create statistics and files of lists. */
class ReportTest extends OnReports {

    @Test
    void statisticsCountEverybodyOnceByStateSourceDomainAndMonth() {
        givenPeople();
        InlineJobs process = process(world.storage, 1);
        String job = process.jobs()
                .start(process.jobs().newId(), PeopleReports.STATISTICS, about(), "ada")
                .id();

        process.finish(job);

        ListStatistics found = process.jobs().result(job, ListStatistics.FORM).orElseThrow();
        assertThat(found.people()).isEqualTo(PEOPLE);
        assertThat(found.subscribed()).isEqualTo(PEOPLE - 1);
        assertThat(found.states()).containsEntry("Subscribed", PEOPLE - 1L).containsEntry("Unsubscribed", 1L);
        assertThat(found.topDomains(1)).containsExactly(new ListStatistics.DomainCount("example.org", PEOPLE - 5));
        assertThat(found.beyondTopDomains(1)).isEqualTo(5);
        assertThat(found.joined().values()).containsExactly((long) PEOPLE);
        assertThat(found.left().values()).containsExactly(1L);
        assertThat(process.jobs().find(job).map(SetJobs.Status::handled)).contains((long) PEOPLE);
    }

    @Test
    void aJobAboutADeletedListFailsWithThatReason() {
        InlineJobs process = process(world.storage, 1);
        List<String> jobs = Stream.of(PeopleReports.STATISTICS, PeopleReports.EXPORT)
                .map(name -> process.jobs()
                        .start(process.jobs().newId(), name, Map.of("list", "gone"), "")
                        .id())
                .toList();

        jobs.forEach(process::finish);

        assertThat(jobs).allSatisfy(job -> {
            SetJobs.Status status = process.jobs().find(job).orElseThrow();
            assertThat(status.state()).isEqualTo(JobState.FAILED);
            assertThat(status.reason().is(ReasonCode.LIST_GONE)).isTrue();
        });
    }
}
