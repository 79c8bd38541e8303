package org.azuremail.web.segment;

import static org.azuremail.web.layout.FormErrors.stripped;
import static org.azuremail.web.layout.FormErrors.text;

import jakarta.servlet.http.HttpServletResponse;
import java.security.Principal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.azuremail.blobset.SetJobs;
import org.azuremail.field.FieldStore;
import org.azuremail.field.ListFields;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.Segment;
import org.azuremail.list.SegmentName;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStore;
import org.azuremail.report.ListStatistics;
import org.azuremail.report.PeopleReports;
import org.azuremail.segment.Rule;
import org.azuremail.segment.RuleJson.RuleFault;
import org.azuremail.segment.SegmentCounts;
import org.azuremail.segment.SegmentPeople;
import org.azuremail.segment.Segments;
import org.azuremail.segment.Segments.SegmentSaveResult;
import org.azuremail.storage.Versioned;
import org.azuremail.web.layout.FormErrors;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.PageNotFoundException;
import org.azuremail.web.layout.Question;
import org.azuremail.web.layout.TableOrder;
import org.jspecify.annotations.Nullable;
import org.springframework.context.support.MessageSourceAccessor;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.validation.FieldError;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * The pages that show segments of all lists, build them line by line, and delete them. Every button of the form works
 * without script.
 */
@Controller
record SegmentPages(
        ListStore lists,
        Segments segments,
        SegmentPeople people,
        SegmentCounts counts,
        PeopleReports reports,
        FieldStore fields,
        MessageStore messages,
        MessageSourceAccessor texts) {

    private static final String SECTION = "segments";

    /**
     * A segment in the table.
     *
     * @param fault the reason why the segment cannot be used; empty if it can
     * @param people the result of the last count; {@code null} before the first
     */
    record Row(
            MailingList list,
            Segment segment,
            String fault,
            @Nullable Long people) {}

    private static Row row(MailingList list, Segments.CheckedSegment listed, Map<SegmentName, Long> people) {
        String fault =
                listed.faults().isEmpty() ? "" : listed.faults().get(0).reason().words();
        return new Row(
                list, listed.segment(), fault, people.get(listed.segment().name()));
    }

    @GetMapping("/segments")
    String all(@RequestParam @Nullable String list, TableOrder order, Model model) {
        List<MailingList> existing = lists.active();
        List<Row> rows = new ArrayList<>();
        for (MailingList one : existing) {
            if (list == null || list.isBlank() || one.name().value().equals(list)) {
                List<Segments.CheckedSegment> listed = segments.listWithFaults(one);
                Map<SegmentName, Long> people = listed.isEmpty() ? Map.of() : counts.people(one.name());
                listed.forEach(segment -> rows.add(row(one, segment, people)));
            }
        }
        model.addAttribute(
                "rows",
                order.sorted(
                        rows,
                        Map.of(
                                "name", row -> row.segment().title(),
                                "list", row -> row.list().name().value(),
                                "people", Row::people)));
        model.addAttribute("lists", existing);
        model.addAttribute("only", list);
        return "segment/all";
    }

    @GetMapping("/segments/new")
    String formForNew(@RequestParam @Nullable String list, Model model) {
        List<MailingList> existing = lists.active();
        if (existing.isEmpty()) {
            return "redirect:/segments";
        }
        String chosen = list == null ? existing.get(0).name().value() : list;
        return shown(SegmentForm.empty(chosen), model);
    }

    @GetMapping("/segments/{list}/{segment}")
    String edit(@PathVariable ListName list, @PathVariable String segment, Model model) {
        Versioned<Segment> found = require(list, segment);
        return form(SegmentForm.of(list.value(), found.value(), found.etag()), model);
    }

    /**
     * Saves the segment, or changes its lines and shows the form again.
     *
     * @param act {@code save}, {@code refresh}, or {@code test}, {@code group} and {@code remove} with the number of a
     *     line
     */
    @PostMapping("/segments")
    String save(
            @ModelAttribute("form") SegmentForm form,
            BindingResult errors,
            @RequestParam(defaultValue = "save") String act,
            HttpServletResponse response,
            Model model) {
        int line = act.matches("[a-z]+:[0-9]{1,3}") ? Integer.parseInt(act.substring(act.indexOf(':') + 1)) : 0;
        if (act.startsWith("test:") || act.startsWith("group:")) {
            return shown(form.plus(line, act.startsWith("test:")), model);
        }
        if (act.startsWith("remove:")) {
            return shown(form.minus(line), model);
        }
        return act.equals("refresh") ? shown(form.with(form.lines()), model) : save(form, errors, response, model);
    }

    /** Asks for a count of the people who match the rules as typed. */
    @PostMapping(path = "/segments", params = "act=count")
    String countTyped(@ModelAttribute("form") SegmentForm form, BindingResult errors, Principal admin, Model model) {
        list(form).ifPresent(list -> segments.resolve(list, null, form.rule())
                .applicable()
                .ifPresent(rule -> counts.requestCount(list, rule, admin.getName())));
        return shown(form, model);
    }

    private String save(SegmentForm form, BindingResult errors, HttpServletResponse response, Model model) {
        Optional<MailingList> list = list(form);
        Optional<SegmentName> name = SegmentName.parse(text(form.name()));
        String description = stripped(form.description());
        if (list.isEmpty()) {
            errors.rejectValue("list", "error.segment.list");
        }
        if (name.isEmpty()) {
            errors.rejectValue("name", "error.segment.name");
        }
        if (!MailingList.isLine(description)) {
            FormErrors.reject(errors, "description", "error.segment.description", MailingList.MAX_LINE);
        }
        if (errors.hasErrors()) {
            list.map(existing -> segments.resolve(existing, name.orElse(null), form.rule()))
                    .filter(resolved -> resolved.rule() == null)
                    .ifPresent(incomplete -> rejectRules(form, incomplete, errors));
            return form(form, model);
        }
        String etag = form.isNew() ? null : form.etag();
        SegmentSaveResult result =
                segments.save(list.orElseThrow(), name.orElseThrow(), description, form.rule(), etag);
        if (result instanceof SegmentSaveResult.Done done) {
            counts.requestCount(done.segment().value(), "");
            return Notice.done("segment-saved", done.segment().value().title())
                    .on("/segments/" + list.get().name() + "/" + name.get());
        }
        if (result instanceof SegmentSaveResult.Conflict && form.isNew()) {
            errors.rejectValue("name", "error.segment.name-taken");
        } else if (result instanceof SegmentSaveResult.Conflict conflict) {
            response.setStatus(HttpStatus.CONFLICT.value());
            errors.reject("error.segment.conflict");
            model.addAttribute("etag", conflict.current().etag());
        } else if (result instanceof SegmentSaveResult.TooMany) {
            errors.reject("error.segment.too-many");
        } else if (result instanceof SegmentSaveResult.Missing) {
            errors.reject("error.segment.deleted");
        } else {
            rejectRules(form, segments.resolve(list.orElseThrow(), name.orElseThrow(), form.rule()), errors);
        }
        return form(form, model);
    }

    /** Reports the problem of each rule at its line, to which the summary links. */
    private static void rejectRules(SegmentForm form, Segments.Resolved resolved, BindingResult errors) {
        faults(form, resolved, true)
                .forEach((line, text) ->
                        errors.addError(new FieldError("form", "rule-" + line, null, false, null, null, text)));
    }

    /** Shows the number of people and some of them while the form is filled in. */
    @PostMapping("/segments/people")
    String people(@ModelAttribute("form") SegmentForm form, BindingResult errors, Model model) {
        addPreview(form, model, false);
        return "segment/people :: people";
    }

    @PostMapping("/segments/{list}/{segment}/count")
    String count(@PathVariable ListName list, @PathVariable String segment, Principal admin) {
        counts.requestCount(require(list, segment).value(), admin.getName());
        return Notice.done("segment-counting").on("/segments/" + list + "/" + segment);
    }

    @GetMapping("/segments/{list}/{segment}/delete")
    String ask(@PathVariable ListName list, @PathVariable String segment, Model model) {
        Segment found = require(list, segment).value();
        List<Message> waiting = segments.pendingMessages(found);
        List<Segment> users = segments.findReferencing(found);
        String page = "/segments/" + list + "/" + segment;
        if (!waiting.isEmpty() || !users.isEmpty()) {
            model.addAttribute("segment", found);
            model.addAttribute("messages", waiting);
            model.addAttribute("users", users);
            return "segment/in-use";
        }
        return new Question("delete-segment", page + "/delete", page)
                .about(found.title())
                .showing("list", list.value())
                .ask(model, SECTION);
    }

    @PostMapping("/segments/{list}/{segment}/delete")
    String delete(@PathVariable ListName list, @PathVariable String segment) {
        Versioned<Segment> found = require(list, segment);
        boolean used = !segments.pendingMessages(found.value()).isEmpty()
                || !segments.findReferencing(found.value()).isEmpty();
        return used || !segments.delete(found)
                ? Notice.problem("segment-not-deleted").on("/segments/" + list + "/" + segment + "/delete")
                : Notice.done("segment-deleted", found.value().title()).on("/segments");
    }

    private String shown(SegmentForm form, Model model) {
        SegmentForm fitted = choices(form).fitted();
        model.addAttribute("form", fitted);
        return form(fitted, model, false);
    }

    private String form(SegmentForm form, Model model) {
        return form(form, model, true);
    }

    /**
     * Shows the form.
     *
     * @param reportIncomplete whether to report rules that are merely incomplete, too
     */
    private String form(SegmentForm form, Model model, boolean reportIncomplete) {
        model.asMap().putIfAbsent("form", form);
        LineChoices choices = choices(form);
        List<SegmentForm.Line> lines = form.lines();
        model.addAttribute("lines", lines);
        model.addAttribute("ends", form.ends());
        model.addAttribute("lists", lists.active());
        model.addAttribute("kinds", choices.kinds());
        model.addAttribute("offered", lines.stream().map(choices::offered).toList());
        addPreview(form, model, reportIncomplete);
        return "segment/edit";
    }

    private LineChoices choices(SegmentForm form) {
        Optional<MailingList> list = list(form);
        ListFields known = list.map(fields::of).orElse(ListFields.NONE);
        return new LineChoices(form, list.map(MailingList::name).orElse(null), known, segments, messages, texts);
    }

    private void addPreview(SegmentForm form, Model model, boolean reportIncomplete) {
        Optional<MailingList> list = list(form);
        if (list.isEmpty()) {
            return;
        }
        SegmentName name = SegmentName.parse(text(form.name())).orElse(null);
        Segments.Resolved resolved = segments.resolve(list.get(), name, form.rule());
        model.addAttribute("faults", faults(form, resolved, reportIncomplete));
        model.addAttribute("told", reportIncomplete);
        Rule rule = resolved.rule();
        if (rule != null) {
            SegmentPeople.SampleResult found = people.sample(list.get(), rule);
            model.addAttribute("found", found);
            model.addAttribute("examples", found.examples());
            Optional<Segment> stored = form.isNew() || name == null
                    ? Optional.empty()
                    : segments.find(list.get().name(), name).map(Versioned::value);
            stored.ifPresent(segment -> model.addAttribute("stored", segment));
            if (!found.complete()) {
                showCount(list.get(), rule, stored, model);
            }
        }
    }

    private static Map<Integer, String> faults(SegmentForm form, Segments.Resolved resolved, boolean reportIncomplete) {
        List<String> pointers = form.pointers();
        Map<Integer, String> faults = new LinkedHashMap<>();
        resolved.faults().stream()
                .filter(fault -> reportIncomplete
                        || !(fault.reason().is(RuleFault.RULES_VALUE_MISSING)
                                || fault.reason().is(RuleFault.RULES_GROUP_EMPTY)))
                .forEach(fault -> faults.putIfAbsent(
                        line(pointers, fault.pointer()), fault.reason().words()));
        return faults;
    }

    /**
     * Shows the last count of a large list: the count of these rules if they were counted, otherwise that of the rules
     * that the segment had when it was counted.
     */
    private void showCount(MailingList list, Rule rule, Optional<Segment> stored, Model model) {
        Optional<Rule> saved =
                stored.flatMap(segment -> segments.resolve(list, segment).applicable());
        boolean changed = !saved.equals(Optional.of(rule));
        Optional<SetJobs.Status> job = changed ? counts.job(list, rule) : stored.flatMap(counts::job);
        Optional<ListStatistics> result = job.flatMap(reports::statistics);
        Optional<SegmentCounts.SegmentCount> last = stored.flatMap(counts::find);
        if (changed) {
            last = result.map(of -> new SegmentCounts.SegmentCount(
                            of.people(), of.subscribed(), job.orElseThrow().startedAt(), true))
                    .or(() -> stored.flatMap(counts::find).map(SegmentCounts.SegmentCount::outdated));
        }
        last.ifPresent(count -> model.addAttribute("last", count));
        model.addAttribute("changed", changed);
        model.addAttribute("counting", job.filter(one -> !one.state().over()).isPresent());
        result.ifPresent(of -> model.addAttribute("examples", people.findByAddresses(list, of.examples())));
    }

    /** Returns the line that a fault is about: the innermost line that contains its place. */
    private static int line(List<String> pointers, String place) {
        int line = 0;
        for (int i = 0; i < pointers.size(); i++) {
            if ((place + "/").startsWith(pointers.get(i) + "/")
                    && pointers.get(i).length() >= pointers.get(line).length()) {
                line = i;
            }
        }
        return line;
    }

    private Optional<MailingList> list(SegmentForm form) {
        return form.listTyped().flatMap(ListName::parse).flatMap(lists::findActive);
    }

    private Versioned<Segment> require(ListName list, String segment) {
        return segments.find(list, segment).orElseThrow(() -> new PageNotFoundException("no-segment", segment));
    }
}
