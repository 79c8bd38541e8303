package org.azuremail.web.operations;

import java.security.Principal;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.AzureMailProperties.StorageKind;
import org.azuremail.delivery.WaitingRanges;
import org.azuremail.mail.MailProperties;
import org.azuremail.operations.Operations;
import org.azuremail.operations.OperationsProperties;
import org.azuremail.route.Breakers;
import org.azuremail.web.layout.NotHere;
import org.azuremail.web.layout.Question;
import org.springframework.context.MessageSource;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** What waits, who works, and what the storage is asked. A look is shared by all who look within a few seconds. */
@Controller
class OperationsPages {

    private static final Set<String> MAIL_QUEUES =
            Set.of("azuremailqueue", "azuremailsubscribequeue", "azuremailtestqueue");

    private final Operations operations;
    private final OperationsProperties settings;
    private final MessageSource texts;
    private final Breakers breakers;
    private final WaitingRanges waiting;
    private final MailProperties mail;
    private final AzureMailProperties process;

    OperationsPages(
            Operations operations,
            OperationsProperties settings,
            MessageSource texts,
            Breakers breakers,
            WaitingRanges waiting,
            MailProperties mail,
            AzureMailProperties process) {
        this.mail = mail;
        this.process = process;
        this.waiting = waiting;
        this.breakers = breakers;
        this.operations = operations;
        this.settings = settings;
        this.texts = texts;
    }

    @ModelAttribute("amounts")
    Amounts amounts() {
        return new Amounts(settings.currency());
    }

    /** What a queue is for, in words of people. */
    @ModelAttribute("labels")
    UnaryOperator<String> labels() {
        return this::label;
    }

    /** What a scheduled service does, in words of people. */
    @ModelAttribute("serviceLabels")
    UnaryOperator<String> serviceLabels() {
        return service -> text("service." + service);
    }

    /**
     * The page.
     *
     * @param still it does not load itself again
     */
    @GetMapping("/operations")
    String all(@RequestParam(defaultValue = "false") boolean still, Model model) {
        now(model);
        model.addAttribute("still", still);
        return "operations/all";
    }

    /** The part of the page that changes. */
    @GetMapping("/operations/now")
    String now(Model model) {
        model.addAttribute("look", operations.look());
        List<Breakers.Waiting> left = breakers.waiting();
        model.addAttribute("transports", left);
        model.addAttribute("awaited", awaited(left));
        model.addAttribute("mailQueues", MAIL_QUEUES);
        model.addAttribute("free", process.storage() == StorageKind.EMBEDDED);
        model.addAttribute("still", false);
        model.addAttribute("price", settings.pricePerMillion());
        return "operations/now :: now";
    }

    /** The question, and the answer to it. */
    @GetMapping("/operations/stop")
    String askToStop(@RequestParam String name, Model model) {
        requireKnown(name);
        return new Question(
                        "Stop this work?",
                        "What is under way ends, and nothing new begins, in all processes, until somebody starts it "
                                + "again. Nothing is lost: what comes meanwhile waits.",
                        "Stop",
                        "/operations/stop",
                        "/operations")
                .with("name", name)
                .showing("Work", called(name))
                .ask(model, "operations");
    }

    @PostMapping("/operations/stop")
    String stop(@RequestParam String name, Principal admin) {
        requireKnown(name);
        operations.stop(name, admin.getName());
        return "redirect:/operations?notice=work-stopped";
    }

    @PostMapping("/operations/start")
    String start(@RequestParam String name) {
        requireKnown(name);
        operations.start(name);
        return "redirect:/operations?notice=work-started";
    }

    /** Somebody mended a transport: it is tried at once, by all that waits. */
    @PostMapping("/operations/try")
    String tryAgain(@RequestParam String transport) {
        breakers.find(transport)
                .orElseThrow(() -> new NotHere("There is no such transport."))
                .close();
        waiting.goOn();
        return "redirect:/operations?notice=transport-tried";
    }

    private void requireKnown(String name) {
        if (!operations.knows(name)) {
            throw new NotHere("There is no such work.");
        }
    }

    /** As the table calls it. */
    private String called(String name) {
        String label = label(name).isEmpty() ? text("service." + name) : label(name);
        return label.isEmpty() ? name : label + " (" + name + ")";
    }

    /** The transports without one of which no mail goes anywhere, if each of them is left alone; otherwise empty. */
    private String awaited(List<Breakers.Waiting> left) {
        List<String> names = left.stream().map(Breakers.Waiting::transport).toList();
        return names.containsAll(mail.order()) ? String.join(", ", mail.order()) : "";
    }

    private String label(String queue) {
        String whole = text("queue." + queue);
        int dash = queue.indexOf('-');
        if (!whole.isEmpty() || dash < 0) {
            return whole;
        }
        String base = text("queue." + queue.substring(0, dash));
        return base.isEmpty() ? "" : base + ", " + queue.substring(dash + 1);
    }

    private String text(String code) {
        return Objects.requireNonNullElse(texts.getMessage(code, null, "", Locale.ROOT), "");
    }
}
