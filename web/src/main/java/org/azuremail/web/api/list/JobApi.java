package org.azuremail.web.api.list;

import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.azuremail.blobset.JobState;
import org.azuremail.blobset.SetJobs;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.Segment;
import org.azuremail.report.ConfirmationReminders;
import org.azuremail.report.ListStatistics;
import org.azuremail.report.PeopleReports;
import org.azuremail.report.PeopleReports.ExportedFile;
import org.azuremail.segment.PeopleJobParameters;
import org.azuremail.segment.Segments;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.web.api.Idempotency;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.Paging;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.RequestFields;
import org.azuremail.web.download.Download;
import org.azuremail.web.download.StreamedBody;
import org.azuremail.web.key.ApiKey;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Starts statistics and exports of lists and segments, and asks unconfirmed people again. Shows and cancels all jobs.
 */
@RestController
@RequestMapping("/api/v1/jobs")
record JobApi(
        SetJobs jobs,
        PeopleReports reports,
        ConfirmationReminders reminders,
        ListStore lists,
        SubscriptionStore subscribers,
        Segments segments) {

    private static final int DOMAINS = 100;
    private static final List<String> STARTED_HERE =
            List.of(PeopleReports.STATISTICS, PeopleReports.EXPORT, ConfirmationReminders.JOB);

    record NewJob(
            @Nullable String job,
            @Nullable String list,
            @Nullable String segment) {}

    /**
     * @param state running, done, cancelled or failed
     * @param handled the number of people or messages processed so far
     * @param people the number of people on the list when the job began; only in jobs about people
     * @param statistics the result of a statistics job; not in listings
     * @param file the file of an export, while it is kept; not in listings
     */
    record JobBody(
            String id,
            String job,
            String state,
            @Nullable String list,
            @Nullable String segment,
            String startedBy,
            Instant startedAt,
            long handled,
            @Nullable Long people,
            @Nullable String reason,
            @Nullable String reasonCode,
            @Nullable Instant endedAt,
            @Nullable String cancelledBy,
            @Nullable StatisticsBody statistics,
            @Nullable FileBody file) {}

    record FileBody(long rows, long bytes) {}

    /** @param domains the domains with the most people */
    record StatisticsBody(
            long people,
            long subscribed,
            Map<String, Long> states,
            Map<String, Long> sources,
            List<ListStatistics.DomainCount> domains,
            long otherDomains,
            List<ListStatistics.Month> months) {

        static StatisticsBody of(ListStatistics found) {
            Map<String, Long> states = new TreeMap<>();
            found.states().forEach((state, people) -> states.put(state.toLowerCase(Locale.ROOT), people));
            return new StatisticsBody(
                    found.people(),
                    found.subscribed(),
                    states,
                    found.sources(),
                    found.topDomains(DOMAINS),
                    found.beyondTopDomains(DOMAINS),
                    found.months());
        }
    }

    /** Returns the jobs, newest first. */
    @GetMapping
    Items<JobBody> all(Paging paging) {
        return paging.read(jobs::latest, JobApi::body);
    }

    @PostMapping
    ResponseEntity<JobBody> start(@RequestBody NewJob wanted, ApiKey key, Idempotency idempotency) {
        RequestFields fields = new RequestFields();
        String job = Objects.requireNonNullElse(wanted.job(), "");
        if (!STARTED_HERE.contains(job)) {
            fields.refuse("job", "Use one of " + String.join(", ", STARTED_HERE) + ".");
        }
        if (job.equals(ConfirmationReminders.JOB) && wanted.segment() != null) {
            fields.refuse("segment", "This job is for whole lists.");
        }
        Optional<ListName> name = fields.required("list", wanted.list(), ListName::parse, ListName.RULE);
        fields.check();
        ListName list = name.orElseThrow();
        return idempotency.answer(
                wanted, JobBody.class, jobs::newId, attempt -> start(attempt.intended(), job, list, wanted, key));
    }

    private ResponseEntity<JobBody> start(String id, String job, ListName name, NewJob wanted, ApiKey key) {
        MailingList list = lists.findValue(name).orElseThrow(() -> RefusedCall.noList(name));
        if (job.equals(ConfirmationReminders.JOB)) {
            return asked(reminders.start(id, list, subscribers.counts(list).unconfirmed(), key.label()));
        }
        Segment segment = wanted.segment() == null ? null : segment(list, wanted.segment());
        return reports.start(id, job, list, segment, key.label())
                .map(JobApi::accepted)
                .orElseThrow(() ->
                        new RefusedCall(ProblemCode.STATE_FORBIDS, "The rules of the segment cannot be applied now."));
    }

    private static ResponseEntity<JobBody> asked(ConfirmationReminders.ReminderResult answer) {
        if (answer instanceof ConfirmationReminders.ReminderResult.Started started) {
            return accepted(started.job());
        }
        throw answer instanceof ConfirmationReminders.ReminderResult.NotNow
                ? new RefusedCall(
                        ProblemCode.NOT_NOW,
                        "Nothing was started: another call is starting this job, or broke off while doing so. Repeat the call"
                                + " in a few minutes.")
                : new RefusedCall(
                        ProblemCode.STATE_FORBIDS,
                        "The unconfirmed people of this list are already being asked again.");
    }

    private static ResponseEntity<JobBody> accepted(SetJobs.Status started) {
        return ResponseEntity.accepted()
                .location(URI.create("/api/v1/jobs/" + started.id()))
                .body(body(started));
    }

    @GetMapping("/{id}")
    JobBody one(@PathVariable String id) throws IOException {
        SetJobs.Status job = require(id);
        boolean done = job.state() == JobState.DONE;
        ExportedFile file = done ? reports.file(job).orElse(null) : null;
        return body(
                job,
                done ? reports.statistics(job).map(StatisticsBody::of).orElse(null) : null,
                file == null ? null : new FileBody(file.rows(), reports.bytes(job, file)));
    }

    /** Cancels a job. A job that has already ended in another way stays as it is. */
    @DeleteMapping("/{id}")
    JobBody cancel(@PathVariable String id, ApiKey key) {
        SetJobs.Status job = jobs.cancel(id, key.label()).orElseThrow(() -> gone(id));
        if (job.state() != JobState.CANCELLED) {
            throw new RefusedCall(
                    ProblemCode.STATE_FORBIDS,
                    "The job has ended: it is " + job.state().word() + ".");
        }
        return body(job);
    }

    @GetMapping("/{id}/file")
    ResponseEntity<StreamedBody> file(@PathVariable String id) {
        SetJobs.Status job = require(id);
        ExportedFile file = reports.file(job)
                .orElseThrow(() -> RefusedCall.notFound("The job " + id + " has no file, or it is no longer kept."));
        return Download.of(Download.CSV, id + ".csv", out -> reports.write(job, file, out));
    }

    private Segment segment(MailingList list, String segment) {
        return segments.find(list.name(), segment)
                .map(Versioned::value)
                .orElseThrow(
                        () -> RefusedCall.notFound("The list " + list.name() + " has no segment " + segment + "."));
    }

    private SetJobs.Status require(String id) {
        return jobs.find(id).orElseThrow(() -> gone(id));
    }

    private static RefusedCall gone(String id) {
        return RefusedCall.notFound("There is no job " + id + ". It may have been deleted.");
    }

    private static JobBody body(SetJobs.Status job) {
        return body(job, null, null);
    }

    private static JobBody body(SetJobs.Status job, @Nullable StatisticsBody statistics, @Nullable FileBody file) {
        String people = job.about().get(SetJobs.PEOPLE);
        return new JobBody(
                job.id(),
                job.function(),
                job.state().word(),
                job.about().get(SetJobs.LIST),
                job.about().get(PeopleJobParameters.SEGMENT),
                job.by(),
                job.startedAt(),
                job.handled(),
                people == null ? null : Long.valueOf(people),
                job.reason().none() ? null : job.reason().words(),
                job.reason().none() ? null : job.reason().code(),
                job.endedAt(),
                job.endedBy().isEmpty() ? null : job.endedBy(),
                statistics,
                file);
    }
}
