package org.azuremail.web.list;

import java.security.Principal;
import java.util.List;
import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.MailProperties;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.SampleLists;
import org.azuremail.subscription.removal.ListDeletion;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.time.Time;
import org.azuremail.web.layout.NotHere;
import org.azuremail.web.layout.Question;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BeanPropertyBindingResult;
import org.springframework.validation.BindingResult;
import org.springframework.validation.Errors;
import org.springframework.validation.FieldError;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Mailing lists: all of them, one of them, a new one, a changed one, a deleted one. */
@Controller
class ListPages {

    private static final int PAGE = 50;

    private final ListStore lists;
    private final SubscriptionStore subscribers;
    private final SampleLists samples;
    private final ListDeletion deletion;
    private final MailProperties mail;
    private final Time time;

    ListPages(
            ListStore lists,
            SubscriptionStore subscribers,
            SampleLists samples,
            ListDeletion deletion,
            MailProperties mail,
            Time time) {
        this.mail = mail;
        this.lists = lists;
        this.subscribers = subscribers;
        this.samples = samples;
        this.deletion = deletion;
        this.time = time;
    }

    /** The transports that a list may choose; one alone is no choice. */
    @ModelAttribute("transports")
    List<String> transports() {
        return mail.names();
    }

    /** In which order mail is given to them when a list chooses none. */
    @ModelAttribute("transportOrder")
    String transportOrder() {
        return String.join(", then ", mail.order());
    }

    /** @param after the last list of the page before: each list costs a read a shard */
    @GetMapping("/lists")
    String all(@RequestParam(defaultValue = "") String after, Model model) {
        List<MailingList> rest = lists.all().stream()
                .filter(list -> list.name().value().compareTo(after) > 0)
                .toList();
        List<MailingList> shown = rest.subList(0, Math.min(PAGE, rest.size()));
        model.addAttribute("lists", shown);
        model.addAttribute("counts", subscribers.counts(shown));
        model.addAttribute("first", after.isEmpty());
        model.addAttribute("more", rest.size() > PAGE);
        return "list/all";
    }

    @PostMapping("/lists/samples")
    String loadSamples(Principal me) {
        samples.load(Origin.admin(me.getName()));
        return "redirect:/lists?notice=samples-loaded";
    }

    @GetMapping("/lists/new")
    String formForNew(Model model) {
        model.addAttribute("form", ListForm.EMPTY);
        return "list/new";
    }

    @PostMapping("/lists/new")
    String create(@ModelAttribute("form") ListForm form, BindingResult errors) {
        Optional<MailingList> list = form.toNew(time.instant(), mail.names(), errors);
        if (list.isPresent() && lists.create(list.get()) instanceof ListStore.Creation.NameTaken) {
            nameIsTaken(errors);
        }
        return list.isEmpty() || errors.hasErrors()
                ? "list/new"
                : "redirect:/lists/" + list.get().name() + "?notice=list-made";
    }

    /** Checks one field while the others are still being typed. */
    @PostMapping("/lists/check")
    String check(@ModelAttribute("form") ListForm form, @RequestParam String field, Model model) {
        BeanPropertyBindingResult errors = new BeanPropertyBindingResult(form, "checked");
        form.toNew(time.instant(), mail.names(), errors);
        ListName.parse(String.valueOf(form.name())).flatMap(lists::find).ifPresent(taken -> nameIsTaken(errors));
        model.addAttribute(
                "errors",
                errors.getFieldErrors(field).stream()
                        .map(FieldError::getDefaultMessage)
                        .toList());
        return "forms-live :: errors";
    }

    private static void nameIsTaken(Errors errors) {
        errors.rejectValue("name", "taken", "A list of this name exists already. Please choose another name.");
    }

    @GetMapping("/lists/{list}")
    String one(@PathVariable("list") ListName name, Model model) {
        MailingList list = require(name).value();
        model.addAttribute("list", list);
        model.addAttribute("counts", subscribers.counts(list));
        return "list/one";
    }

    @GetMapping("/lists/{list}/edit")
    String formForChange(@PathVariable("list") ListName name, Model model) {
        Versioned<MailingList> list = require(name);
        model.addAttribute("form", ListForm.of(list.value()));
        return change(list, model);
    }

    @PostMapping("/lists/{list}/edit")
    String save(
            @PathVariable("list") ListName name,
            @ModelAttribute("form") ListForm form,
            BindingResult errors,
            @RequestParam String etag,
            Model model) {
        Versioned<MailingList> stored = require(name);
        Optional<MailingList> changed = form.toChanged(stored.value(), mail.names(), errors);
        if (changed.isEmpty()) {
            return change(new Versioned<>(stored.value(), etag), model);
        }
        ListStore.Saving saving = lists.update(changed.get(), etag);
        if (saving instanceof ListStore.Saving.Conflict conflict) {
            form.showCurrent(conflict.current().value(), errors);
            errors.reject("conflict");
            return change(conflict.current(), model);
        }
        if (saving instanceof ListStore.Saving.Missing) {
            throw gone(name);
        }
        return "redirect:/lists/" + name + "?notice=list-saved";
    }

    @GetMapping("/lists/{list}/delete")
    String askToDelete(@PathVariable("list") ListName name, Model model) {
        MailingList list = require(name).value();
        return new Question(
                        "Delete the list " + name + "?",
                        "Its subscribers are deleted with it. Messages that are not sent yet are not sent any more. "
                                + "This cannot be undone.",
                        "Delete list",
                        "/lists/" + name + "/delete",
                        "/lists/" + name)
                .showing("Description", list.description())
                .showing("From", list.from().toString())
                .showing("Subscribers", String.valueOf(subscribers.counts(list).total()))
                .ask(model, "lists");
    }

    @PostMapping("/lists/{list}/delete")
    String delete(@PathVariable("list") ListName name) {
        deletion.begin(name);
        return "redirect:/lists?notice=list-deleted";
    }

    private static String change(Versioned<MailingList> list, Model model) {
        model.addAttribute("list", list.value());
        model.addAttribute("etag", list.etag());
        return "list/edit";
    }

    private Versioned<MailingList> require(ListName name) {
        return lists.find(name).orElseThrow(() -> gone(name));
    }

    private static NotHere gone(ListName name) {
        return new NotHere("There is no list " + name + ". Perhaps somebody deleted it.");
    }
}
