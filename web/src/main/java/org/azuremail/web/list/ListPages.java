package org.azuremail.web.list;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.Principal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.azuremail.delivery.SampleMessages;
import org.azuremail.delivery.range.WaitingRanges;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.Logos;
import org.azuremail.list.MailingList;
import org.azuremail.sending.TransportDirectory;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.ListDeletion;
import org.azuremail.subscription.SampleLists;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.SubscriberCounts;
import org.azuremail.time.Time;
import org.azuremail.web.growth.GrowthPlots;
import org.azuremail.web.layout.FormErrors;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.PageNotFoundException;
import org.azuremail.web.layout.Question;
import org.azuremail.web.layout.TableOrder;
import org.azuremail.web.plot.StackedBar;
import org.jspecify.annotations.Nullable;
import org.springframework.context.support.MessageSourceAccessor;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BeanPropertyBindingResult;
import org.springframework.validation.BindingResult;
import org.springframework.validation.Errors;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.multipart.MultipartFile;

/** The pages that list, show, create, change and delete mailing lists. */
@Controller
record ListPages(
        ListStore lists,
        SubscriptionStore subscribers,
        SampleLists samples,
        SampleMessages sampleMessages,
        ListDeletion deletion,
        WaitingRanges waiting,
        Logos logos,
        TransportDirectory directory,
        GrowthPlots plots,
        MessageSourceAccessor texts,
        Time time) {

    private static final int PAGE = 50;

    /** Returns the transports that a list may choose. A single transport leaves no choice. */
    @ModelAttribute("transports")
    List<String> transports() {
        return directory.names();
    }

    /** Returns the order in which the transports are used for lists that choose none. */
    @ModelAttribute("transportOrder")
    List<String> transportOrder() {
        return directory.order();
    }

    /** @param after the last list of the previous page; the lists are paged because each costs a read for each shard */
    @GetMapping("/lists")
    String all(@RequestParam(defaultValue = "") String after, TableOrder order, Model model) {
        List<MailingList> rest = lists.all().stream()
                .filter(list -> list.name().value().compareTo(after) > 0)
                .toList();
        List<MailingList> shown = rest.subList(0, Math.min(PAGE, rest.size()));
        boolean whole = after.isEmpty() && rest.size() <= PAGE;
        Map<ListName, SubscriberCounts> counts = subscribers.counts(shown);
        model.addAttribute("lists", whole ? sorted(shown, counts, order) : shown);
        model.addAttribute(TableOrder.MODEL, whole ? order : null);
        model.addAttribute("counts", counts);
        model.addAttribute("first", after.isEmpty());
        model.addAttribute("more", rest.size() > PAGE);
        return "list/all";
    }

    private static List<MailingList> sorted(
            List<MailingList> all, Map<ListName, SubscriberCounts> counts, TableOrder order) {
        return order.sorted(
                all,
                Map.of(
                        "name", list -> list.name().value(),
                        "description", MailingList::description,
                        "from", list -> list.fromEmail().value(),
                        "subscribed",
                                list -> Objects.requireNonNull(counts.get(list.name()))
                                        .subscribed(),
                        "unconfirmed",
                                list -> Objects.requireNonNull(counts.get(list.name()))
                                        .unconfirmed()));
    }

    @PostMapping("/lists/samples")
    String loadSamples(Principal me) {
        samples.load(Origin.admin(me.getName()));
        sampleMessages.load(me.getName());
        return Notice.done("samples-loaded").on("/lists");
    }

    @GetMapping("/lists/new")
    String formForNew(Model model) {
        model.addAttribute("form", ListForm.EMPTY);
        return "list/new";
    }

    @PostMapping("/lists/new")
    String create(@ModelAttribute("form") ListForm form, BindingResult errors) {
        Optional<MailingList> list = form.toNew(time.instant(), directory.names(), errors);
        if (list.isPresent() && lists.create(list.get()).done().isEmpty()) {
            errors.rejectValue("name", "error.list.name-taken");
        }
        return list.isEmpty() || errors.hasErrors()
                ? "list/new"
                : Notice.done("list-created").on("/lists/" + list.get().name());
    }

    /** Checks one field while the others are still being typed. */
    @PostMapping("/lists/check")
    String check(@ModelAttribute("form") ListForm form, @RequestParam String field, Model model) {
        BeanPropertyBindingResult errors = new BeanPropertyBindingResult(form, "checked");
        form.toNew(time.instant(), directory.names(), errors);
        ListName.parse(String.valueOf(form.name()))
                .flatMap(lists::find)
                .ifPresent(taken -> errors.rejectValue("name", "error.list.name-taken"));
        model.addAttribute(
                "errors",
                errors.getFieldErrors(field).stream().map(texts::getMessage).toList());
        return "forms-live :: errors";
    }

    @GetMapping("/lists/{list}")
    String one(@PathVariable("list") ListName name, @RequestParam @Nullable String growth, Model model) {
        MailingList list = require(name).value();
        model.addAttribute("list", list);
        SubscriberCounts counts = subscribers.counts(list);
        model.addAttribute("counts", counts);
        model.addAttribute("people", people(name, counts));
        plots.of(list, counts.subscribed(), growth).ifPresent(plot -> model.addAttribute("growth", plot));
        return "list/one";
    }

    private static StackedBar people(ListName name, SubscriberCounts counts) {
        return StackedBar.of(
                counts.people(),
                counts.byState().entrySet().stream()
                        .map(state -> new StackedBar.Share(
                                state.getKey().stored().toLowerCase(Locale.ROOT),
                                state.getValue(),
                                "/subscribers?list=" + name + "&state="
                                        + state.getKey().stored()))
                        .toList());
    }

    @GetMapping("/lists/{list}/edit")
    String formForChange(@PathVariable("list") ListName name, Model model) {
        Versioned<MailingList> list = require(name);
        if (list.value().deleting()) {
            return beingDeleted(name);
        }
        model.addAttribute("form", ListForm.of(list.value()));
        return change(list, model);
    }

    @PostMapping("/lists/{list}/edit")
    String save(
            @PathVariable("list") ListName name,
            @ModelAttribute("form") ListForm form,
            BindingResult errors,
            @RequestParam String etag,
            @RequestParam @Nullable MultipartFile logo,
            @RequestParam(defaultValue = "false") boolean withoutLogo,
            Model model) {
        Versioned<MailingList> stored = require(name);
        if (stored.value().deleting()) {
            return beingDeleted(name);
        }
        FormErrors.file(errors, "logo", logo);
        Optional<MailingList> changed = form.toChanged(stored.value(), directory.names(), errors)
                .flatMap(list -> withLogo(list, logo, withoutLogo, errors));
        if (changed.isEmpty()) {
            return change(new Versioned<>(stored.value(), etag), model);
        }
        Saved<MailingList> saved = lists.update(changed.get(), etag);
        if (saved instanceof Saved.Conflict<MailingList> conflict) {
            logos.deleteUnused(changed.get().brand(), stored.value().brand());
            form.showCurrent(conflict.current().value(), errors);
            errors.reject("conflict");
            return change(conflict.current(), model);
        }
        if (saved instanceof Saved.Missing) {
            throw gone(name);
        }
        logos.deleteUnused(stored.value().brand(), changed.get().brand());
        waiting.changed(stored.value(), changed.get());
        return Notice.done("list-saved").on("/lists/" + name);
    }

    /** Leads to the page of the list, which says that it is being deleted. */
    private static String beingDeleted(ListName name) {
        return "redirect:/lists/" + name;
    }

    private Optional<MailingList> withLogo(
            MailingList list, @Nullable MultipartFile file, boolean without, Errors errors) {
        if (file == null || file.isEmpty()) {
            return Optional.of(without ? list.withBrand(list.brand().withLogo(null)) : list);
        }
        Optional<String> kept = keep(file);
        if (kept.isEmpty()) {
            FormErrors.reject(errors, "logo", "error.list.logo", Logos.MAX_BYTES / 1024, Logos.MAX_PIXELS);
        }
        return kept.map(name -> list.withBrand(list.brand().withLogo(name)));
    }

    private Optional<String> keep(MultipartFile file) {
        try (InputStream image = file.getInputStream()) {
            return logos.store(image.readNBytes(Logos.MAX_BYTES + 1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @GetMapping("/lists/{list}/delete")
    String askToDelete(@PathVariable("list") ListName name, Model model) {
        MailingList list = require(name).value();
        return new Question("delete-list", "/lists/" + name + "/delete", "/lists/" + name)
                .about(name.value(), subscribers.counts(list).people())
                .showing("description", list.description())
                .showing("fromEmail", list.from().toString())
                .showing("subscribers", subscribers.counts(list).people())
                .ask(model, "lists");
    }

    @PostMapping("/lists/{list}/delete")
    String delete(@PathVariable("list") ListName name) {
        deletion.begin(name);
        return Notice.done("list-deleted").on("/lists");
    }

    private static String change(Versioned<MailingList> list, Model model) {
        model.addAttribute("list", list.value());
        model.addAttribute("etag", list.etag());
        return "list/edit";
    }

    private Versioned<MailingList> require(ListName name) {
        return lists.find(name).orElseThrow(() -> gone(name));
    }

    private static PageNotFoundException gone(ListName name) {
        return new PageNotFoundException("no-list", name.value());
    }
}
