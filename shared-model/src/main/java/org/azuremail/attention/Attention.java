package org.azuremail.attention;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.LinkProblem;
import org.azuremail.attention.Cause.Kind;
import org.azuremail.blobset.SetJobs;
import org.azuremail.message.Message;
import org.azuremail.operations.Operations;
import org.azuremail.operations.Overview;
import org.azuremail.operations.WorkNames;
import org.azuremail.reason.Words;
import org.azuremail.route.Breakers;
import org.azuremail.sending.TransportDirectory;
import org.azuremail.storage.CommitHealth;
import org.azuremail.subscription.transfer.Imports;
import org.azuremail.subscription.transfer.SubscriberImport;
import org.azuremail.time.Time;
import org.azuremail.watcher.Watchers;
import org.azuremail.work.Switches;
import org.jspecify.annotations.Nullable;

/**
 * Finds the problems that a person has to solve, and where to solve them, for the dashboard and for the emails to
 * admins.
 */
public record Attention(
        Operations operations,
        Imports imports,
        SetJobs jobs,
        Watchers watchers,
        TransportDirectory transports,
        WorkNames workNames,
        AzureMailProperties settings,
        CommitHealth commitHealth,
        Time time) {

    /** The time after which a failure is not shown any more. */
    private static final Duration LATELY = Duration.ofDays(7);

    private static final int MAX_OF_A_KIND = 3;

    /**
     * The most processes of a host that are told apart, because the row that records what admins know has limited room.
     */
    private static final int MAX_TOLD_APART = 5;

    private static final int LATEST_IMPORTS = 5;

    private static final int LATEST_JOBS = 50;

    private static final String OPERATIONS = "/operations";

    /**
     * Returns the problems, the worst first. This takes eight reads, one for each job that failed lately and for each
     * thousand watchers, and the reads of the operations. Operations and watchers are read at most once in five
     * seconds.
     */
    public List<Cause> causes(SendingStatus.Sample sample) {
        List<Cause> items = new ArrayList<>();
        if (commitHealth.isFailing()) {
            items.add(Cause.unlinked(Kind.NOTHING_SAVED));
        }
        Overview overview = operations.overview();
        sample.waiting().forEach(one -> items.add(waiting(one)));
        overview.queues().stream()
                .filter(Overview.Queue::abandoned)
                .forEach(queue -> items.add(Cause.linked(
                        Kind.QUEUE_ABANDONED,
                        queue.name(),
                        OPERATIONS,
                        workNames.label(queue.name()),
                        queue.waiting())));
        overview.queues().forEach(queue -> stopped(queue.stop(), items));
        overview.services().forEach(service -> stopped(service.stop(), items));
        messages(sample, items);
        imports(items);
        jobs(items);
        watchers(items);
        deadLetters(overview, items);
        processes(overview, items);
        links(items);
        return items;
    }

    /** Returns whether no transport accepts emails now, so that admins learn of problems only from the dashboard. */
    public boolean noEmailsLeave(SendingStatus.Sample sample) {
        List<String> waiting =
                sample.waiting().stream().map(Breakers.Waiting::transport).toList();
        return !waiting.isEmpty() && waiting.containsAll(transports.order());
    }

    private static Cause waiting(Breakers.Waiting one) {
        return Cause.posted(
                Kind.PROVIDER_WAITING,
                "/operations/try",
                new Cause.Field("transport", one.transport()),
                one.transport(),
                one.state().reason());
    }

    private void stopped(Switches.@Nullable Stop stop, List<Cause> items) {
        if (stop != null) {
            Cause.Field name = new Cause.Field("name", stop.name());
            items.add(Cause.posted(
                    Kind.WORK_STOPPED, "/operations/start", name, workNames.label(stop.name()), stop.by()));
        }
    }

    private void messages(SendingStatus.Sample sample, List<Cause> items) {
        sample.sending().stream()
                .map(SendingStatus.Sending::message)
                .filter(message ->
                        message.paused() && !message.state().pauseReason().none())
                .forEach(message -> items.add(Cause.linked(
                        Kind.MESSAGE_PAUSED,
                        message.ref().toString(),
                        page(message),
                        message.subject(),
                        message.state().pauseReason())));
        sample.latest().stream()
                .filter(message -> !message.result().reason().none() && isRecent(message.completedAt()))
                .limit(MAX_OF_A_KIND)
                .forEach(message -> items.add(Cause.linked(
                        Kind.MESSAGE_FAILED,
                        message.ref().toString(),
                        page(message),
                        message.subject(),
                        message.result().reason())));
        sample.sending().stream()
                .filter(one -> one.progress() != null && one.progress().counts().unknown() > 0)
                .forEach(one ->
                        items.add(unknown(one.message(), one.progress().counts().unknown())));
        sample.latest().stream()
                .filter(message -> message.result().counts().unknown() > 0 && !message.retired())
                .limit(MAX_OF_A_KIND)
                .forEach(message ->
                        items.add(unknown(message, message.result().counts().unknown())));
    }

    private boolean isRecent(@Nullable Instant end) {
        return end != null && end.isAfter(time.instant().minus(LATELY));
    }

    private static Cause unknown(Message message, long recipients) {
        return Cause.linked(
                Kind.UNKNOWN_OUTCOMES,
                message.ref().toString(),
                page(message) + "/unknown",
                message.subject(),
                recipients);
    }

    private static String page(Message message) {
        return "/messages/" + message.ref();
    }

    private void imports(List<Cause> items) {
        imports.latest(Optional.empty(), LATEST_IMPORTS).items().stream()
                .filter(one -> one.state() == SubscriberImport.State.FAILED && isRecent(one.finishedAt()))
                .forEach(one -> items.add(Cause.linked(
                        Kind.IMPORT_FAILED,
                        one.id().value(),
                        "/subscribers/imports/" + one.id(),
                        one.list().value(),
                        one.reason())));
    }

    private void jobs(List<Cause> items) {
        jobs.failed(LATEST_JOBS).stream()
                .filter(job -> isRecent(job.endedAt()))
                .limit(MAX_OF_A_KIND)
                .forEach(job -> items.add(Cause.linked(
                        Kind.JOB_FAILED,
                        job.id(),
                        "/jobs/" + job.id(),
                        Words.find("job.kind." + job.function()).orElse(job.function()),
                        job.reason())));
    }

    private void watchers(List<Cause> items) {
        watchers.troubled().stream()
                .sorted(Comparator.comparing(watcher -> !watcher.failed()))
                .limit(MAX_OF_A_KIND)
                .forEach(watcher -> items.add(Cause.linked(
                        watcher.failed() ? Kind.WATCHER_FAILED : Kind.WATCHER_TROUBLED,
                        watcher.name(),
                        "/watchers/" + watcher.name(),
                        watcher.name(),
                        watcher.progress().result())));
    }

    private static void deadLetters(Overview overview, List<Cause> items) {
        long letters = overview.queues().stream()
                .mapToLong(Overview.Queue::deadLetters)
                .sum();
        if (letters > 0) {
            Kind kind = overview.deadLettersCut() ? Kind.DEAD_LETTERS_MANY : Kind.DEAD_LETTERS;
            items.add(Cause.linked(kind, "", "/dead-letters", letters).sized(letters));
        }
    }

    /**
     * A problem of processes of one host. Processes are grouped by host because a process that ends repeatedly has
     * another id each time.
     */
    private record Trouble(Kind kind, String host) {}

    private static void processes(Overview overview, List<Cause> items) {
        overview.instances().stream()
                .filter(process -> process.deaf() || !process.alive())
                .collect(Collectors.groupingBy(
                        process -> new Trouble(trouble(process), process.name()),
                        LinkedHashMap::new,
                        Collectors.toList()))
                .forEach((trouble, those) -> items.add(
                        Cause.linked(trouble.kind(), trouble.host(), OPERATIONS, trouble.host(), (long) those.size())
                                .about(latest(those))));
    }

    /**
     * Returns the ids of the latest of these processes. The latest ones are forgotten last, so no older process takes
     * the place of one that was forgotten.
     */
    private static List<String> latest(List<Overview.Process> those) {
        return those.stream()
                .sorted(Comparator.comparing(Attention::since).reversed())
                .limit(MAX_TOLD_APART)
                .map(Overview.Process::id)
                .toList();
    }

    private static Instant since(Overview.Process process) {
        return process.alive() ? process.startedAt() : process.heartbeatAt();
    }

    private static Kind trouble(Overview.Process process) {
        return process.deaf() ? Kind.PROCESS_DEAF : process.gone() ? Kind.PROCESS_ENDED : Kind.PROCESS_SILENT;
    }

    /**
     * Adds the problems of links. Links to this machine do not work elsewhere, which does not matter while no email
     * leaves it.
     */
    private void links(List<Cause> items) {
        if (!transports.sendsExternally()) {
            items.add(Cause.linked(Kind.NO_MAIL_SERVER, "", "/settings"));
            return;
        }
        settings.linkProblem().ifPresent(problem -> {
            Kind kind = problem == LinkProblem.LOCAL ? Kind.LINKS_LOCAL : Kind.LINKS_NOT_HTTPS;
            items.add(Cause.unlinked(kind, settings.publicUrl().toString()));
        });
    }
}
