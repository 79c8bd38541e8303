package org.azuremail.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.azuremail.blobset.InlineJobs;
import org.azuremail.blobset.JobState;
import org.azuremail.blobset.SetJob;
import org.azuremail.blobset.SetJobs;
import org.azuremail.delivery.range.DeliveryLimits;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.field.FieldStore;
import org.azuremail.id.IdSource;
import org.azuremail.id.SeededIds;
import org.azuremail.list.ListStore;
import org.azuremail.list.OptIn;
import org.azuremail.reason.ReasonCode;
import org.azuremail.report.PeopleJob.PeopleWalk;
import org.azuremail.report.Reports.ExportedFile;
import org.azuremail.segment.PeopleFilters;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.subscription.SubscriptionWorld;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.transfer.SubscriberExport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks the jobs that create statistics and files of lists. */
class ReportTest {

    private static final int PEOPLE = 25;

    private final SubscriptionWorld world = new SubscriptionWorld(OptIn.SINGLE, 3);

    /** The jobs of one process on a storage. */
    private InlineJobs process(Storage storage, long seed) {
        ListStore lists = new ListStore(storage.tables());
        FieldStore fields = new FieldStore(storage.tables(), lists, world.time);
        PeopleFilters filters =
                new PeopleFilters(fields, new DeliveryStore(storage.tables(), DeliveryLimits.SHARED, nonce -> false));
        PeopleWalk walk = new PeopleWalk(lists, new SubscriptionStore(storage.tables()), filters, ZoneOffset.UTC, 3);
        List<SetJob<?, ?>> functions = List.of(new ExportJob(walk, fields, 300), new StatisticsJob(walk, null));
        return new InlineJobs(storage, world.time, ids(seed), () -> functions);
    }

    private static IdSource ids(long seed) {
        return new SeededIds(seed);
    }

    private void givenPeople() {
        IntStream.range(0, PEOPLE).forEach(n -> world.subscribe("p" + n + (n < 5 ? "@example.com" : "@example.org")));
        world.subscriptions()
                .leave(SubscriptionWorld.LIST, SubscriptionWorld.address("p0@example.com"), SubscriptionWorld.LINK);
    }

    private static Map<String, String> about() {
        return Map.of("list", SubscriptionWorld.LIST.value(), "columns", "city");
    }

    @Test
    void statisticsCountEverybodyOnceByStateSourceDomainAndMonth() {
        givenPeople();
        InlineJobs process = process(world.storage, 1);
        String job = process.jobs()
                .start(process.jobs().newId(), Reports.STATISTICS, about(), "ada")
                .id();

        process.finish(job);

        ListStatistics found = process.jobs().result(job, ListStatistics.FORM).orElseThrow();
        assertThat(found.people()).isEqualTo(PEOPLE);
        assertThat(found.subscribed()).isEqualTo(PEOPLE - 1);
        assertThat(found.states()).containsEntry("Subscribed", PEOPLE - 1L).containsEntry("Unsubscribed", 1L);
        assertThat(found.topDomains(1)).containsExactly(new ListStatistics.Line("example.org", PEOPLE - 5));
        assertThat(found.beyondTopDomains(1)).isEqualTo(5);
        assertThat(found.joined().values()).containsExactly((long) PEOPLE);
        assertThat(found.left().values()).containsExactly(1L);
        assertThat(process.jobs().find(job).map(SetJobs.Status::handled)).contains((long) PEOPLE);
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void l6_anExportThatStopsAtAnyCallContainsEverybodyOnce(Faults.Mode mode) throws IOException {
        givenPeople();
        StringWriter direct = new StringWriter();
        ListStore lists = new ListStore(world.storage.tables());
        new SubscriberExport(
                        new SubscriptionStore(world.storage.tables()),
                        new FieldStore(world.storage.tables(), lists, world.time))
                .write(world.list(), direct);
        boolean happened = true;
        for (long at = 1; happened; at += 3) {
            Faults faults = new Faults(mode, at, () -> {});
            InlineJobs second = process(world.storage, 1000 + at);
            String job = second.jobs()
                    .start(second.jobs().newId(), Reports.EXPORT, about(), "ada")
                    .id();
            try {
                process(faults.around(world.storage), 5000 + at).finish(job);
            } catch (ProcessDied | StorageException expected) {
                // The other process continues.
            }
            happened = faults.calls() >= at;

            second.finish(job);

            String where = mode + " at call " + at;
            assertThat(lines(second, job))
                    .as(where)
                    .containsExactlyInAnyOrderElementsOf(
                            direct.toString().lines().toList());
        }
    }

    private List<String> lines(InlineJobs process, String job) {
        ExportedFile file = process.jobs().result(job, ExportedFile.FORM).orElseThrow();
        assertThat(file.parts()).hasSizeGreaterThan(3);
        assertThat(file.rows()).isEqualTo(PEOPLE);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            new Reports(process.jobs(), null).write(process.jobs().find(job).orElseThrow(), file, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String text = out.toString(StandardCharsets.UTF_8);
        assertThat(text).startsWith("email,name,state");
        return text.lines().toList();
    }

    @Test
    void aJobAboutADeletedListFailsWithThatReason() {
        InlineJobs process = process(world.storage, 1);
        List<String> jobs = Stream.of(Reports.STATISTICS, Reports.EXPORT)
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
