package org.azuremail.web.operations;

import static org.azuremail.web.layout.FormErrors.stripped;

import java.security.Principal;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.azuremail.id.AsciiWord;
import org.azuremail.operations.Console;
import org.azuremail.operations.Console.Weight;
import org.azuremail.operations.OperationsProperties;
import org.azuremail.operations.WorkNames;
import org.azuremail.web.layout.FormErrors;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.PageNotFoundException;
import org.azuremail.work.TuningOverride;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * The page of one queue or scheduled service, with its figures and the settings that an admin can change while it runs.
 */
@Controller
record WorkPages(Console console, OperationsProperties settings, WorkNames workNames) {

    private static final Pattern INTERVAL = Pattern.compile("(\\d{1,9})\\s*(s|min|m|h|d)");
    private static final Map<String, Duration> UNITS = Map.of(
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "min", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

    /**
     * The settings of a scheduled service, as typed.
     *
     * @param interval a number and its unit; empty for the usual interval
     * @param shown the change that the admin saw, as {@link #shown} formats it
     */
    record ServiceForm(@Nullable String interval, @Nullable String shown) {

        Optional<Duration> read() {
            Matcher typed =
                    INTERVAL.matcher(AsciiWord.digits(stripped(interval)).toLowerCase(Locale.ROOT));
            return typed.matches()
                    ? Optional.of(UNITS.getOrDefault(typed.group(2), Duration.ZERO)
                            .multipliedBy(Long.parseLong(typed.group(1))))
                    : Optional.empty();
        }
    }

    /**
     * The settings of a queue, as typed.
     *
     * @param priority the priority; empty for the usual one
     * @param perSecond the rate; empty for the rate of the settings
     * @param shown the change that the admin saw, as {@link #shown} formats it
     */
    record QueueForm(
            @Nullable String priority,
            @Nullable String perSecond,
            @Nullable String shown) {}

    @ModelAttribute("amounts")
    Amounts amounts() {
        return new Amounts(settings.currency());
    }

    @GetMapping("/operations/service")
    String service(@RequestParam String name, Model model) {
        Console.Service service = requireService(name);
        Optional<TuningOverride> tuned = Optional.ofNullable(service.tuned());
        model.addAttribute("form", new ServiceForm(interval(tuned), shown(tuned)));
        return show(service, model);
    }

    @PostMapping("/operations/service")
    String saveService(
            @RequestParam String name,
            @ModelAttribute("form") ServiceForm form,
            BindingResult errors,
            Principal admin,
            Model model) {
        Console.Service service = requireService(name);
        boolean usual = stripped(form.interval()).isEmpty();
        Optional<Duration> interval = form.read().filter(service::allows);
        if (!usual && interval.isEmpty()) {
            FormErrors.reject(
                    errors,
                    "interval",
                    "error.work.interval",
                    Amounts.time(service.shortest()),
                    Amounts.time(service.longest()));
            return show(service, model);
        }
        Duration wanted = usual ? null : interval.orElseThrow();
        if (console.runEvery(
                name,
                wanted,
                now -> hasChangedSince(now, form.shown())
                        && !Objects.equals(
                                wanted, now.map(TuningOverride::interval).orElse(null)),
                admin.getName())) {
            return Notice.done("work-tuned").on("/operations/service?name=" + name);
        }
        Console.Service newer = requireService(name);
        Optional<TuningOverride> now = Optional.ofNullable(newer.tuned());
        errors.reject("conflict");
        FormErrors.current(errors, "interval", interval(now), form.interval());
        model.addAttribute("shown", shown(now));
        return show(newer, model);
    }

    @PostMapping("/operations/run")
    String runNow(@RequestParam String name) {
        Console.Service service = requireService(name);
        if (service.stop() != null) {
            return Notice.problem("work-is-stopped").on("/operations/service?name=" + name);
        }
        console.runNow(name);
        return Notice.done("work-runs").on("/operations/service?name=" + name);
    }

    @GetMapping("/operations/queue")
    String queue(@RequestParam String name, Model model) {
        Console.Queue queue = requireQueue(name);
        Optional<TuningOverride> tuned = Optional.ofNullable(queue.tuned());
        Weight weight = Weight.of(tuned);
        model.addAttribute("form", new QueueForm(text(weight.priority()), text(weight.perSecond()), shown(tuned)));
        return show(queue, model);
    }

    @PostMapping("/operations/queue")
    String saveQueue(
            @RequestParam String name,
            @ModelAttribute("form") QueueForm form,
            BindingResult errors,
            Principal admin,
            Model model) {
        Console.Queue queue = requireQueue(name);
        Integer priority = number("priority", form.priority(), TuningOverride.MAX_PRIORITY, errors);
        Integer perSecond = number("perSecond", form.perSecond(), TuningOverride.MAX_PER_SECOND, errors);
        if (errors.hasErrors()) {
            return show(queue, model);
        }
        Weight wanted = new Weight(priority, perSecond);
        if (console.weigh(
                name,
                now -> hasChangedSince(now, form.shown()) && !wanted.equals(Weight.of(now))
                        ? Optional.empty()
                        : Optional.of(wanted),
                admin.getName())) {
            return Notice.done("work-tuned").on("/operations/queue?name=" + name);
        }
        Console.Queue newer = requireQueue(name);
        Optional<TuningOverride> now = Optional.ofNullable(newer.tuned());
        errors.reject("conflict");
        FormErrors.current(errors, "priority", text(Weight.of(now).priority()), form.priority());
        FormErrors.current(errors, "perSecond", text(Weight.of(now).perSecond()), form.perSecond());
        model.addAttribute("shown", shown(now));
        return show(newer, model);
    }

    private String show(Console.Service service, Model model) {
        model.addAttribute("service", service);
        model.addAttribute("called", workNames.label(service.name()));
        return "operations/service";
    }

    private String show(Console.Queue queue, Model model) {
        model.addAttribute("queue", queue);
        model.addAttribute("called", workNames.label(queue.seen().name()));
        model.addAttribute("within", Amounts.time(settings.drainWithin()));
        return "operations/queue";
    }

    private Console.Service requireService(String name) {
        return console.service(name).orElseThrow(() -> new PageNotFoundException("no-work"));
    }

    private Console.Queue requireQueue(String name) {
        return console.queue(name).orElseThrow(() -> new PageNotFoundException("no-work"));
    }

    private static @Nullable Integer number(String field, @Nullable String value, int max, BindingResult errors) {
        String typed = FormErrors.number(value);
        if (typed.isEmpty()) {
            return null;
        }
        Optional<Integer> number = Optional.of(typed)
                .filter(text -> NUMBER.matcher(text).matches())
                .map(Integer::valueOf)
                .filter(found -> found >= 1 && found <= max);
        if (number.isEmpty()) {
            FormErrors.reject(errors, field, "error.work.number", max, FormErrors.label(field));
        }
        return number.orElse(null);
    }

    private static String shown(Optional<TuningOverride> tuned) {
        return tuned.map(one -> one.at().toString()).orElse("");
    }

    private static boolean hasChangedSince(Optional<TuningOverride> now, @Nullable String shown) {
        return !shown(now).equals(shown);
    }

    private static String interval(Optional<TuningOverride> tuned) {
        return tuned.map(TuningOverride::interval).map(WorkPages::asTyped).orElse("");
    }

    private static String asTyped(Duration interval) {
        long seconds = interval.toSeconds();
        if (seconds % 86_400 == 0) {
            return seconds / 86_400 + " d";
        }
        if (seconds % 3_600 == 0) {
            return seconds / 3_600 + " h";
        }
        return seconds % 60 == 0 ? seconds / 60 + " min" : seconds + " s";
    }

    private static String text(@Nullable Integer number) {
        return number == null ? "" : number.toString();
    }
}
