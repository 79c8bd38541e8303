package org.azuremail.web.job;

import java.io.IOException;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.blobset.JobState;
import org.azuremail.blobset.SetJobs;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.Segment;
import org.azuremail.report.ConfirmationReminders;
import org.azuremail.report.PeopleReports;
import org.azuremail.report.PeopleReports.ExportedFile;
import org.azuremail.segment.Segments;
import org.azuremail.storage.Page;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.web.download.Download;
import org.azuremail.web.download.StreamedBody;
import org.azuremail.web.layout.Moments;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.PageCursor;
import org.azuremail.web.layout.PageNotFoundException;
import org.azuremail.web.layout.Question;
import org.azuremail.web.live.LiveSource;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages that start, follow and cancel jobs and show their results. */
@Controller
record JobPages(
        SetJobs jobs,
        PeopleReports reports,
        ConfirmationReminders reminders,
        ListStore lists,
        SubscriptionStore subscribers,
        Segments segments,
        AzureMailProperties settings)
        implements LiveSource {

    private static final String SECTION = "jobs";
    private static final int PAGE = 25;
    private static final int TOP_DOMAINS = 20;
    private static final List<String> STARTED_HERE = List.of(PeopleReports.STATISTICS, PeopleReports.EXPORT);

    @GetMapping("/jobs")
    String all(@RequestParam @Nullable String cursor, Model model) {
        now(cursor, model);
        model.addAttribute("lists", lists.active());
        return "job/all";
    }

    @GetMapping("/jobs-now")
    String now(@RequestParam @Nullable String cursor, Model model) {
        Page<SetJobs.Status> page = PageCursor.read("jobs", cursor, from -> jobs.latest(PAGE, from));
        model.addAttribute("jobs", page.items());
        model.addAttribute("next", page.continuation());
        model.addAttribute("cursor", cursor);
        return "job/all :: now";
    }

    @GetMapping("/jobs/new")
    String form(
            @RequestParam ListName list,
            @RequestParam(defaultValue = "") String segment,
            @RequestParam(defaultValue = PeopleReports.STATISTICS) String job,
            Model model) {
        MailingList existing = require(list);
        model.addAttribute("list", existing);
        model.addAttribute("segment", segment);
        model.addAttribute("kinds", STARTED_HERE);
        model.addAttribute("kind", job);
        model.addAttribute(
                "segments", segments.all(list).stream().map(Versioned::value).toList());
        return "job/new";
    }

    @PostMapping("/jobs")
    String start(
            @RequestParam ListName list,
            @RequestParam(defaultValue = "") String segment,
            @RequestParam String job,
            Principal admin) {
        MailingList existing = require(list);
        Segment part = segment.isBlank() ? null : require(list, segment);
        if (!STARTED_HERE.contains(job)) {
            throw new PageNotFoundException("no-job");
        }
        Optional<SetJobs.Status> started = reports.start(jobs.newId(), job, existing, part, admin.getName());
        return started.map(status -> "redirect:/jobs/" + status.id())
                .orElseGet(() -> Notice.problem("job-not-started").on("/jobs/new?list=" + list));
    }

    /** Shows how many people would be asked again, and who asked them last. */
    @GetMapping("/jobs/ask-again")
    String askToAskAgain(@RequestParam ListName list, Model model) {
        MailingList existing = require(list);
        Question question = new Question("ask-again", "/jobs/ask-again", "/lists/" + list)
                .about(subscribers.counts(existing).unconfirmed())
                .destroysNothing()
                .with("list", list.value())
                .showing("list", existing.name().value());
        return reminders
                .last(existing)
                .map(last ->
                        question.showing("askedAgain", Moments.named(last.at(), settings.zone()) + ", " + last.by()))
                .orElse(question)
                .ask(model, "lists");
    }

    @PostMapping("/jobs/ask-again")
    String startAskingAgain(@RequestParam ListName list, Principal admin) {
        MailingList existing = require(list);
        ConfirmationReminders.ReminderResult answer = reminders.start(
                jobs.newId(), existing, subscribers.counts(existing).unconfirmed(), admin.getName());
        if (answer instanceof ConfirmationReminders.ReminderResult.Started started) {
            return "redirect:/jobs/" + started.job().id();
        }
        boolean notNow = answer instanceof ConfirmationReminders.ReminderResult.NotNow;
        return (notNow ? Notice.problem("not-asking-again") : Notice.info("asking-again")).on("/lists/" + list);
    }

    @GetMapping("/jobs/{id}")
    String one(@PathVariable String id, Model model) throws IOException {
        progress(id, model);
        return "job/one";
    }

    @GetMapping("/jobs/{id}/progress")
    String progress(@PathVariable String id, Model model) throws IOException {
        SetJobs.Status job = require(id);
        LiveSource.State state = state(job);
        model.addAttribute("job", job);
        model.addAttribute("total", total(job));
        model.addAttribute("live", !state.over());
        model.addAttribute("version", state.version());
        model.addAttribute(
                "exports", job.state() == JobState.DONE && job.function().equals(PeopleReports.EXPORT));
        if (job.state() == JobState.DONE) {
            reports.statistics(job).ifPresent(found -> model.addAttribute("statistics", found));
            model.addAttribute("topDomains", TOP_DOMAINS);
            ExportedFile file = reports.file(job).orElse(null);
            if (file != null) {
                model.addAttribute("file", file);
                model.addAttribute("bytes", reports.bytes(job, file));
            }
        }
        return "job/progress :: progress";
    }

    @Override
    public String topic() {
        return "job";
    }

    @Override
    public Optional<LiveSource.State> findState(String id) {
        return jobs.find(id).map(JobPages::state);
    }

    private static LiveSource.State state(SetJobs.Status job) {
        String version = job.state().word() + "." + job.pieces() + "." + job.done() + "." + job.handled();
        return new LiveSource.State(version, job.state().over());
    }

    private static @Nullable Long total(SetJobs.Status job) {
        String people = job.about().get(SetJobs.PEOPLE);
        return people == null ? null : Long.valueOf(people);
    }

    @GetMapping("/jobs/{id}/cancel")
    String askToCancel(@PathVariable String id, Model model) {
        SetJobs.Status job = require(id);
        String page = "/jobs/" + job.id();
        return new Question("cancel-job", page + "/cancel", page).ask(model, SECTION);
    }

    @PostMapping("/jobs/{id}/cancel")
    String cancel(@PathVariable String id, Principal admin) {
        SetJobs.Status job = jobs.cancel(id, admin.getName()).orElseThrow(() -> new PageNotFoundException("no-job"));
        boolean cancelled = job.state() == JobState.CANCELLED;
        return (cancelled ? Notice.done("job-cancelled") : Notice.info("job-over")).on("/jobs/" + id);
    }

    @GetMapping("/jobs/{id}/file")
    ResponseEntity<StreamedBody> file(@PathVariable String id) {
        SetJobs.Status job = require(id);
        ExportedFile file = reports.file(job).orElseThrow(() -> new PageNotFoundException("no-file"));
        String name = job.about().getOrDefault(SetJobs.LIST, id) + ".csv";
        return Download.of(Download.CSV, name, out -> reports.write(job, file, out));
    }

    private SetJobs.Status require(String id) {
        return jobs.find(id).orElseThrow(() -> new PageNotFoundException("no-job"));
    }

    private MailingList require(ListName list) {
        return lists.findActive(list).orElseThrow(() -> new PageNotFoundException("no-list", list.value()));
    }

    private Segment require(ListName list, String segment) {
        return segments.find(list, segment)
                .map(Versioned::value)
                .orElseThrow(() -> new PageNotFoundException("no-segment", segment));
    }
}
