package org.azuremail.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.azuremail.blobset.InlineJobs;
import org.azuremail.field.FieldStore;
import org.azuremail.list.ListStore;
import org.azuremail.report.PeopleReports.ExportedFile;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.transfer.SubscriberExport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that a report is the same wherever its process stops. */
class ReportCrashIT extends OnReports {

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
                    .start(second.jobs().newId(), PeopleReports.EXPORT, about(), "ada")
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
            new PeopleReports(process.jobs(), null)
                    .write(process.jobs().find(job).orElseThrow(), file, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String text = out.toString(StandardCharsets.UTF_8);
        assertThat(text).startsWith("email,name,state");
        return text.lines().toList();
    }
}
