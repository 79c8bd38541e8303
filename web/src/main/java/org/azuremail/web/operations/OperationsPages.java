package org.azuremail.web.operations;

import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.azuremail.operations.Operations;
import org.azuremail.operations.OperationsProperties;
import org.azuremail.operations.Overview;
import org.azuremail.operations.PollingCost;
import org.springframework.context.MessageSource;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** What waits, who works, and what the storage is asked. A look is shared by all who look within a few seconds. */
@Controller
class OperationsPages {

    private final Operations operations;
    private final OperationsProperties settings;
    private final MessageSource texts;

    OperationsPages(Operations operations, OperationsProperties settings, MessageSource texts) {
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

    /**
     * The page.
     *
     * @param still it does not load itself again
     */
    @GetMapping("/operations")
    String all(@RequestParam(defaultValue = "false") boolean still, PollingForm polling, Model model) {
        now(model);
        model.addAttribute("still", still);
        calculate(polling, model);
        return "operations/all";
    }

    /** The part of the page that changes. */
    @GetMapping("/operations/now")
    String now(Model model) {
        model.addAttribute("look", operations.look());
        model.addAttribute("still", false);
        model.addAttribute("price", settings.pricePerMillion());
        return "operations/now :: now";
    }

    private void calculate(PollingForm typed, Model model) {
        Overview look = operations.look();
        PollingForm form = typed.empty()
                ? new PollingForm(
                        String.valueOf(Math.max(1, look.queues().size())),
                        "10",
                        settings.pricePerMillion().toPlainString())
                : typed;
        Optional<PollingCost> cost = form.cost();
        model.addAttribute("polling", form);
        model.addAttribute("pollingCost", cost.orElse(null));
        model.addAttribute("pollingRule", cost.isPresent() ? null : PollingForm.RULE);
        model.addAttribute("model", PollingCost.OF_THE_MODEL);
        model.addAttribute("claim", PollingCost.CLAIM_OF_THE_MODEL);
    }

    private String label(String queue) {
        int dash = queue.indexOf('-');
        String whole = texts.getMessage("queue." + queue, null, "", Locale.ROOT);
        if (whole != null && !whole.isEmpty() || dash < 0) {
            return String.valueOf(whole);
        }
        String base = texts.getMessage("queue." + queue.substring(0, dash), null, "", Locale.ROOT);
        return base == null || base.isEmpty() ? "" : base + ", " + queue.substring(dash + 1);
    }
}
