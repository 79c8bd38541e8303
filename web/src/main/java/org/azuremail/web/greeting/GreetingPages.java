package org.azuremail.web.greeting;

import jakarta.servlet.http.HttpServletRequest;
import java.math.BigInteger;
import java.security.Principal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.azuremail.content.MessageBodies.Problem;
import org.azuremail.field.Field;
import org.azuremail.field.FieldStore;
import org.azuremail.greeting.Greeting;
import org.azuremail.greeting.GreetingInput;
import org.azuremail.greeting.Greetings;
import org.azuremail.greeting.Greetings.GreetingRun;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.message.Message;
import org.azuremail.message.Messages;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.web.layout.IdempotentForms;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.PageNotFoundException;
import org.azuremail.web.layout.Question;
import org.azuremail.web.layout.TableOrder;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages that list, show, create and change greetings, with what each has sent. */
@Controller
record GreetingPages(
        Greetings greetings, ListStore lists, FieldStore fields, Messages messages, IdempotentForms forms, Time time) {

    private static final int DAYS = 30;
    private static final int DRAFTS = 100;

    /**
     * A greeting in the table.
     *
     * @param next the time of its next emails; {@code null} while it is paused
     * @param last the latest day; {@code null} before the first
     */
    public record Line(
            Greeting greeting,
            @Nullable Instant next,
            @Nullable Day last) {}

    /**
     * A day of a greeting.
     *
     * @param counts the counts of its message; {@code null} when it has no message
     * @param ended whether none of its emails are on their way
     */
    public record Day(
            LocalDate day, GreetingRun run, @Nullable OutcomeCounts counts, boolean ended) {}

    @GetMapping("/greetings")
    String all(TableOrder order, Model model) {
        model.addAttribute("lists", lists.active());
        List<Line> all = greetings.all().stream()
                .map(Versioned::value)
                .map(greeting -> line(greeting, days(greeting.id(), 1)))
                .toList();
        model.addAttribute(
                "greetings",
                order.sorted(
                        all,
                        Map.of(
                                "name", line -> line.greeting().name(),
                                "list", line -> line.greeting().list().value(),
                                "next", Line::next,
                                "last",
                                        line -> line.last() == null
                                                ? null
                                                : line.last().day())));
        return "greeting/all";
    }

    @GetMapping("/greetings/{id}")
    String one(@PathVariable String id, Model model) {
        Greeting greeting = require(id).value();
        List<Day> days = days(id, DAYS);
        model.addAttribute("line", line(greeting, days));
        model.addAttribute("days", days);
        model.addAttribute("text", messages.find(greeting.text()).orElse(null));
        return "greeting/one";
    }

    private Line line(Greeting greeting, List<Day> days) {
        return new Line(greeting, greetings.next(greeting).orElse(null), days.isEmpty() ? null : days.get(0));
    }

    private List<Day> days(String id, int max) {
        return greetings.runs(id, max).stream().map(this::day).toList();
    }

    private Day day(GreetingRun run) {
        Optional<Message> message = messages.find(run.message());
        return new Day(
                run.day(),
                run,
                message.map(found -> found.result().counts()).orElse(null),
                message.filter(found -> found.status().ended()).isPresent());
    }

    @GetMapping("/greetings/new")
    String formForNew(@RequestParam @Nullable String list, Model model) {
        if (lists.active().isEmpty()) {
            return "redirect:/greetings";
        }
        String birthday = lists.active().stream()
                .filter(one -> list == null || one.name().value().equals(list))
                .limit(1)
                .flatMap(one -> GreetingInput.birthdays(fields, one).stream())
                .map(Field::name)
                .findFirst()
                .orElse("");
        model.addAttribute("form", new GreetingInput("", list, "birthday", birthday, "", "09:00", ""));
        return form(null, model);
    }

    @PostMapping("/greetings/new")
    String create(
            @ModelAttribute("form") GreetingInput input,
            BindingResult errors,
            HttpServletRequest request,
            Principal me,
            Model model) {
        String id = Long.toString(new BigInteger(forms.ids(request).bytes(Long.BYTES)).longValue() & Long.MAX_VALUE);
        Optional<Greeting> greeting = read(input, id, me.getName(), errors);
        if (greeting.isPresent()
                && greetings.find(id).isEmpty()
                && greetings.all().size() >= Greetings.MAX) {
            errors.reject("reason.GREETING_MOST", new Object[] {Greetings.MAX}, null);
        }
        if (greeting.isEmpty() || errors.hasErrors()) {
            return form(null, model);
        }
        greetings.create(greeting.get());
        return Notice.done("greeting-created").on("/greetings/" + greeting.get().id());
    }

    @GetMapping("/greetings/{id}/edit")
    String formForChange(@PathVariable String id, Model model) {
        Versioned<Greeting> read = require(id);
        model.addAttribute("form", GreetingInput.of(read.value()));
        return form(read, model);
    }

    @PostMapping("/greetings/{id}/edit")
    String save(
            @PathVariable String id,
            @ModelAttribute("form") GreetingInput input,
            BindingResult errors,
            @RequestParam String etag,
            Principal me,
            Model model) {
        Versioned<Greeting> stored = require(id);
        Versioned<Greeting> seen = new Versioned<>(stored.value(), etag);
        Optional<Greeting> changed = read(input.withList(stored.value().list()), id, me.getName(), errors);
        if (changed.isEmpty()) {
            return form(seen, model);
        }
        if (!(greetings.change(seen, greeting -> greeting.edited(changed.get())) instanceof Saved.Done)) {
            errors.reject("conflict");
            return form(require(id), model);
        }
        return Notice.done("greeting-saved").on("/greetings/" + id);
    }

    private Optional<Greeting> read(GreetingInput input, String id, String by, BindingResult errors) {
        List<Problem> problems = new ArrayList<>();
        Optional<Greeting> greeting = new GreetingInput.GreetingParser(lists, fields, messages, greetings)
                .read(input, id, time.instant(), by, problems);
        problems.forEach(problem -> errors.rejectValue(problem.field(), "typed", problem.message()));
        return greeting;
    }

    private String form(@Nullable Versioned<Greeting> stored, Model model) {
        List<MailingList> all = lists.active();
        TreeMap<String, String> birthdays = new TreeMap<>();
        all.stream()
                .filter(list ->
                        stored == null || list.name().equals(stored.value().list()))
                .flatMap(list -> GreetingInput.birthdays(fields, list).stream())
                .forEach((Field field) -> birthdays.put(field.name(), field.label()));
        Map<ListName, String> titles = all.stream().collect(Collectors.toMap(MailingList::name, MailingList::title));
        model.addAttribute("lists", all);
        model.addAttribute("birthdays", birthdays);
        model.addAttribute(
                "drafts",
                messages.active(DRAFTS, null).items().stream()
                        .filter(Message::keptAsDraft)
                        .filter(draft -> draft.lists().size() == 1)
                        .filter(draft -> stored == null
                                || draft.list().equals(stored.value().list()))
                        .collect(Collectors.groupingBy(
                                draft -> titles.getOrDefault(
                                        draft.list(), draft.list().value()),
                                TreeMap::new,
                                Collectors.toList())));
        if (stored != null) {
            model.addAttribute("greeting", stored.value());
            model.addAttribute("etag", stored.etag());
            model.addAttribute("text", messages.find(stored.value().text()).orElse(null));
        }
        return "greeting/edit";
    }

    @PostMapping("/greetings/{id}/pause")
    String pause(@PathVariable String id) {
        boolean done = greetings.change(require(id), Greeting::asPaused) instanceof Saved.Done;
        return (done ? Notice.done("greeting-paused") : Notice.problem("greeting-changed")).on("/greetings/" + id);
    }

    @PostMapping("/greetings/{id}/resume")
    String resume(@PathVariable String id) {
        boolean done = greetings.resume(require(id)) instanceof Saved.Done;
        return (done ? Notice.done("greeting-resumed") : Notice.problem("greeting-changed")).on("/greetings/" + id);
    }

    @GetMapping("/greetings/{id}/delete")
    String askToDelete(@PathVariable String id, Model model) {
        Greeting greeting = require(id).value();
        return new Question("delete-greeting", "/greetings/" + id + "/delete", "/greetings/" + id)
                .about(greeting.name())
                .showing("list", greeting.list().value())
                .ask(model, "greetings");
    }

    @PostMapping("/greetings/{id}/delete")
    String delete(@PathVariable String id) {
        greetings.delete(id);
        return Notice.done("greeting-deleted").on("/greetings");
    }

    private Versioned<Greeting> require(String id) {
        return Optional.of(id)
                .filter(one -> one.matches("[0-9]{1,19}"))
                .flatMap(greetings::find)
                .orElseThrow(() -> new PageNotFoundException("no-greeting"));
    }
}
