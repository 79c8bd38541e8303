package org.azuremail.web.operations;

import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.AzureMailProperties.StorageKind;
import org.azuremail.delivery.range.WaitingRanges;
import org.azuremail.mailclass.MailClass;
import org.azuremail.mailclass.MailClasses;
import org.azuremail.operations.ClassFigures;
import org.azuremail.operations.Operations;
import org.azuremail.operations.OperationsProperties;
import org.azuremail.operations.Overview;
import org.azuremail.operations.WorkNames;
import org.azuremail.route.Breakers;
import org.azuremail.sending.TransportDirectory;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.PageNotFoundException;
import org.azuremail.web.layout.Question;
import org.azuremail.web.layout.TableOrder;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * The pages of waiting work, the processes that do it, and the calls to the storage. Requests within a few seconds
 * share one overview.
 */
@Controller
record OperationsPages(
        Operations operations,
        ClassFigures figures,
        OperationsProperties settings,
        WorkNames workNames,
        Breakers breakers,
        WaitingRanges waiting,
        MailClasses classes,
        TransportDirectory transports,
        AzureMailProperties process) {

    private static final String CLASSES = "/operations#classes-title";

    private static final Map<String, Function<Overview.Process, @Nullable Object>> PROCESS_COLUMNS = Map.of(
            "process-name", Overview.Process::name,
            "process-since", Overview.Process::startedAt,
            "process-heartbeat", Overview.Process::heartbeatAt,
            "process-busy", Overview.Process::busy,
            "process-calls", Overview.Process::calls);

    @ModelAttribute("amounts")
    Amounts amounts() {
        return new Amounts(settings.currency());
    }

    @ModelAttribute("labels")
    UnaryOperator<String> labels() {
        return workNames::queue;
    }

    @ModelAttribute("serviceLabels")
    UnaryOperator<String> serviceLabels() {
        return workNames::service;
    }

    /** @param still whether the page does not reload itself */
    @GetMapping("/operations")
    String all(@RequestParam(defaultValue = "false") boolean still, TableOrder order, Model model) {
        now(order, model);
        model.addAttribute("still", still);
        return "operations/all";
    }

    @GetMapping("/operations/now")
    String now(TableOrder order, Model model) {
        Overview look = operations.overview();
        model.addAttribute("look", look);
        model.addAttribute("queues", order.sorted(look.queues(), queueColumns()));
        model.addAttribute("processes", order.sorted(look.instances(), PROCESS_COLUMNS));
        List<Breakers.Waiting> left = breakers.waiting();
        model.addAttribute("transports", left);
        model.addAttribute("awaited", awaited(left));
        model.addAttribute("mailQueues", figures.queues());
        model.addAttribute("classes", figures.all());
        model.addAttribute("free", process.storage() == StorageKind.EMBEDDED);
        model.addAttribute("still", false);
        model.addAttribute("price", settings.pricePerMillion());
        return "operations/now :: now";
    }

    @GetMapping("/operations/stop")
    String askToStop(@RequestParam String name, Model model) {
        requireKnown(name);
        String work = workNames.called(name);
        return new Question("stop-work", "/operations/stop", "/operations")
                .about(work)
                .with("name", name)
                .showing("work", work)
                .ask(model, "operations");
    }

    @PostMapping("/operations/stop")
    String stop(@RequestParam String name, Principal admin) {
        requireKnown(name);
        operations.stop(name, admin.getName());
        return Notice.done("work-stopped").on("/operations");
    }

    @PostMapping("/operations/start")
    String start(@RequestParam String name) {
        requireKnown(name);
        operations.start(name);
        return Notice.done("work-started").on("/operations");
    }

    /** Tries a repaired transport at once and resumes everything that waits. */
    @PostMapping("/operations/try")
    String tryAgain(@RequestParam String transport) {
        breakers.find(transport)
                .orElseThrow(() -> new PageNotFoundException("no-transport"))
                .close();
        waiting.resume();
        return Notice.done("transport-tried").on("/operations");
    }

    private Map<String, Function<Overview.Queue, @Nullable Object>> queueColumns() {
        return Map.of(
                "queue-name", queue -> labels().apply(queue.name()) + queue.name(),
                "queue-waiting", Overview.Queue::waiting,
                "queue-oldest", Overview.Queue::oldest,
                "queue-done", Overview.Queue::finished,
                "queue-failed", Overview.Queue::failed,
                "queue-dead-letters", Overview.Queue::deadLetters);
    }

    private void requireKnown(String name) {
        if (!operations.knows(name)) {
            throw new PageNotFoundException("no-work");
        }
    }

    /** Returns the default transports, separated by commas, if none of them is sending; otherwise an empty text. */
    private String awaited(List<Breakers.Waiting> left) {
        List<String> names = left.stream().map(Breakers.Waiting::transport).toList();
        return names.containsAll(transports.order()) ? String.join(", ", transports.order()) : "";
    }

    @GetMapping("/operations/suspend")
    String askToSuspend(@RequestParam String name, Model model) {
        MailClass one = classes.find(name).orElseThrow(OperationsPages::noClass);
        return new Question("suspend-class", "/operations/suspend", CLASSES)
                .about(one.name())
                .with("name", one.name())
                .showing("mailClass", one.name())
                .ask(model, "operations");
    }

    @PostMapping("/operations/suspend")
    String suspend(@RequestParam String name, Principal admin) {
        MailClass one = figures.suspend(name, admin.getName()).orElseThrow(OperationsPages::noClass);
        return Notice.done("class-suspended", one.name()).on(CLASSES);
    }

    @PostMapping("/operations/resume")
    String resume(@RequestParam String name) {
        MailClass one = figures.resume(name).orElseThrow(OperationsPages::noClass);
        return Notice.done("class-resumed", one.name()).on(CLASSES);
    }

    private static PageNotFoundException noClass() {
        return new PageNotFoundException("no-class");
    }
}
