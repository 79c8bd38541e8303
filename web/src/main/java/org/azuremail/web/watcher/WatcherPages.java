package org.azuremail.web.watcher;

import java.time.ZoneId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.azuremail.gallery.Gallery;
import org.azuremail.list.ListStore;
import org.azuremail.watcher.Capacity;
import org.azuremail.watcher.WatchService;
import org.azuremail.watcher.Watcher;
import org.azuremail.watcher.WatcherKind;
import org.azuremail.watcher.WatcherKinds;
import org.azuremail.watcher.WatcherStatus;
import org.azuremail.watcher.Watchers;
import org.azuremail.watcher.Watchers.Answer;
import org.azuremail.web.layout.FormErrors;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.PageNotFoundException;
import org.azuremail.web.layout.Question;
import org.azuremail.web.layout.TableOrder;
import org.jspecify.annotations.Nullable;
import org.springframework.context.support.MessageSourceAccessor;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.validation.MapBindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * The pages of watchers: all of them, a new one, and one with its settings; and the processes that run them. The
 * settings of a kind are the fields of the template {@code watcher/<kind>}; a kind without a template has a field for
 * each of its defaults and secrets.
 */
@Controller
record WatcherPages(
        Watchers watchers, WatcherKinds kinds, ListStore lists, Gallery gallery, MessageSourceAccessor texts) {

    private static final String SECTION = "watchers";
    private static final int PAGE = 100;
    private static final List<String> TABS = List.of("all", "running", "waiting", "failed", "deleted");

    private static final List<String> NUMBERS = List.of("minutes", "atHour", "entries", "port");

    /** The fields in the order of the page, so that errors are listed in that order. */
    private static final List<String> FIELDS =
            List.of(("address list forwardTo what protocol host security port username password folder done moveTo"
                            + " title template minutes weekday atHour zone entries")
                    .split(" "));

    @ModelAttribute("serviceNames")
    UnaryOperator<String> serviceNames() {
        Map<String, String> names =
                watchers.services().stream().collect(Collectors.toMap(WatchService::id, WatchService::name));
        return id -> names.getOrDefault(id, "");
    }

    /**
     * @param after the name after which the page begins
     * @param tab one of {@link #TABS}
     * @param q a part of a name, a list or a kind
     */
    @GetMapping("/watchers")
    String all(
            @RequestParam(defaultValue = "") String after,
            @RequestParam(defaultValue = "all") String tab,
            @RequestParam(defaultValue = "") String q,
            TableOrder order,
            Model model) {
        String words = q.strip();
        List<Watcher> rest = watchers.after(after)
                .filter(watcher -> isOn(tab, watcher))
                .filter(watcher -> (watcher.name() + " " + watcher.settings().get("list") + " " + watcher.kind())
                        .contains(words.toLowerCase(Locale.ROOT)))
                .limit(PAGE + 1L)
                .toList();
        boolean more = rest.size() > PAGE;
        model.addAttribute(
                "none", rest.isEmpty() && watchers.after("").findFirst().isEmpty());
        model.addAttribute(
                "failed", watchers.troubled().stream().filter(Watcher::failed).count());
        model.addAttribute("tabs", TABS);
        model.addAttribute("tab", tab);
        model.addAttribute("q", words);
        boolean whole = after.isEmpty() && !more;
        model.addAttribute("watchers", whole ? sorted(rest, order) : rest.subList(0, Math.min(PAGE, rest.size())));
        model.addAttribute(TableOrder.MODEL, whole ? order : null);
        model.addAttribute("after", after);
        model.addAttribute("next", more ? rest.get(PAGE - 1).name() : null);
        return "watcher/all";
    }

    private List<Watcher> sorted(List<Watcher> all, TableOrder order) {
        return order.sorted(
                all,
                Map.of(
                        "name",
                        Watcher::name,
                        "kind",
                        watcher -> texts.getMessage("watcher.kind." + watcher.kind(), watcher.kind()),
                        "list",
                        watcher -> watcher.settings().get("list"),
                        "next",
                        watcher -> watcher.status().runs() ? watcher.progress().dueAt() : null));
    }

    @GetMapping("/watchers-now")
    String now(
            @RequestParam(defaultValue = "") String after,
            @RequestParam(defaultValue = "all") String tab,
            @RequestParam(defaultValue = "") String q,
            TableOrder order,
            Model model) {
        return all(after, tab, q, order, model) + " :: now";
    }

    private static boolean isOn(String tab, Watcher watcher) {
        return switch (tab) {
            case "running" -> watcher.status() == WatcherStatus.PROCESSING && !watcher.failed();
            case "waiting" -> watcher.status() == WatcherStatus.CREATED;
            case "failed" -> watcher.failed();
            case "deleted" -> !watcher.status().runs();
            default -> watcher.status() != WatcherStatus.DELETED;
        };
    }

    @GetMapping("/watchers-new")
    String formForNew(@RequestParam(defaultValue = "feed") String kind, Model model) {
        Map<String, String> form = shown(kind, Map.of());
        return form(null, kind, form, errors(form), model);
    }

    @PostMapping("/watchers-new")
    String create(@RequestParam Map<String, String> form, Model model) {
        String kind = form.getOrDefault("kind", "");
        BindingResult errors = errors(form);
        String name = form.getOrDefault("name", "").strip();
        if (!Watcher.NAME.matcher(name).matches()) {
            errors.rejectValue("name", "watcher.answer.NAME_INVALID");
        }
        check(kind, form, null, errors);
        if (errors.hasErrors()) {
            return form(null, kind, form, errors, model);
        }
        Answer answer = watchers.create(name, kind, settings(form));
        if (answer == Answer.CREATED) {
            return noticeFor(answer, name).on("/watchers/" + name);
        }
        FormErrors.reject(errors, "name", "watcher.answer." + answer, name);
        return form(null, kind, form, errors, model);
    }

    @GetMapping("/watchers/{name}")
    String one(@PathVariable String name, Model model) {
        Watcher watcher = require(name);
        Map<String, String> form = shown(watcher.kind(), watcher.settings());
        form.put("etag", watcher.version());
        return form(watcher, watcher.kind(), form, errors(form), model);
    }

    @PostMapping("/watchers/{name}")
    String save(@PathVariable String name, @RequestParam Map<String, String> form, Model model) {
        Watcher watcher = require(name);
        BindingResult errors = errors(form);
        check(watcher.kind(), form, watcher, errors);
        if (errors.hasErrors()) {
            return form(watcher, watcher.kind(), form, errors, model);
        }
        Answer answer = watchers.configure(name, form.getOrDefault("etag", ""), settings(form));
        return answer == Answer.CHANGED
                ? changedMeanwhile(require(name), form, errors, model)
                : noticeFor(answer, name).on("/watchers/" + name);
    }

    /**
     * Keeps the typed values, shows the values that another admin has saved beside them, and lets the next save
     * overwrite those.
     */
    private String changedMeanwhile(Watcher now, Map<String, String> form, BindingResult errors, Model model) {
        errors.reject("conflict");
        shown(now.kind(), now.settings())
                .forEach((field, value) -> FormErrors.current(errors, field, value, form.get(field)));
        form.put("etag", now.version());
        return form(now, now.kind(), form, errors, model);
    }

    /**
     * Shows the server's answer to the settings as typed. Saves nothing.
     *
     * @param htmx whether htmx sent the form; without script, the page is shown again with the answer, and only the
     *     password has to be typed again
     */
    @PostMapping("/watchers-test")
    String test(
            @RequestParam Map<String, String> form,
            @RequestHeader(name = "HX-Request", defaultValue = "false") boolean htmx,
            Model model) {
        Watcher before = form.containsKey("etag") ? require(form.getOrDefault("name", "")) : null;
        String kind = before == null ? form.getOrDefault("kind", "") : before.kind();
        BindingResult errors = errors(form);
        check(kind, form, before, errors);
        if (!errors.hasErrors()) {
            kinds.find(kind)
                    .map(known -> kinds.test(known, settings(form), before))
                    .ifPresent(tested -> model.addAttribute("tested", tested));
        }
        model.addAttribute("part", htmx);
        String page = form(before, kind, form, errors, model);
        return htmx ? page + " :: tested" : page;
    }

    @GetMapping("/watchers/{name}/stop")
    String askToStop(@PathVariable String name, Model model) {
        require(name);
        return new Question("stop-watcher", "/watchers/" + name + "/stop", "/watchers/" + name)
                .about(name)
                .ask(model, SECTION);
    }

    @PostMapping("/watchers/{name}/stop")
    String stop(@PathVariable String name) {
        require(name);
        return noticeFor(watchers.delete(name), name).on("/watchers/" + name);
    }

    @PostMapping("/watchers/{name}/withdraw")
    String withdraw(@PathVariable String name) {
        return noticeFor(watchers.withdraw(name), name).on("/watchers");
    }

    @PostMapping("/watchers/{name}/restart")
    String restart(@PathVariable String name) {
        require(name);
        return noticeFor(watchers.restart(name), name).on("/watchers/" + name);
    }

    @PostMapping("/watchers/{name}/again")
    String createAgain(@PathVariable String name) {
        require(name);
        return noticeFor(watchers.createAgain(name), name).on("/watchers/" + name);
    }

    @GetMapping("/capacity")
    String capacity(TableOrder order, Model model) {
        Capacity capacity = watchers.capacity();
        model.addAttribute("capacity", capacity);
        model.addAttribute(
                "services",
                order.sorted(
                        watchers.services(),
                        Map.of(
                                "name", WatchService::name,
                                "slots", WatchService::workersCount,
                                "used", capacity::usedBy,
                                "born", WatchService::createdAt,
                                "changed", WatchService::modifyAt)));
        return "watcher/capacity";
    }

    @GetMapping("/capacity-now")
    String capacityNow(TableOrder order, Model model) {
        return capacity(order, model) + " :: now";
    }

    private Notice noticeFor(Answer answer, String name) {
        String words = texts.getMessage("watcher.answer." + answer, new Object[] {name});
        return switch (answer) {
            case CREATED, STOPPING, WITHDRAWN, RESTARTED, SAVED -> Notice.done("watcher-answer", words);
            default -> Notice.problem("watcher-answer", words);
        };
    }

    private static Map<String, String> settings(Map<String, String> form) {
        Map<String, String> settings = new HashMap<>(form);
        settings.keySet().removeAll(List.of("name", "kind", "etag"));
        settings.keySet().removeIf(field -> field.startsWith("_"));
        settings.values().removeIf(String::isBlank);
        NUMBERS.forEach(name -> settings.computeIfPresent(name, (key, typed) -> FormErrors.number(typed)));
        return settings;
    }

    private Map<String, String> shown(String kind, Map<String, String> settings) {
        Map<String, String> form =
                new HashMap<>(kinds.find(kind).map(WatcherKind::defaults).orElse(Map.of()));
        form.putAll(settings);
        return form;
    }

    private static BindingResult errors(Map<String, String> form) {
        return new MapBindingResult(form, "form");
    }

    private void check(String kind, Map<String, String> form, @Nullable Watcher before, BindingResult errors) {
        Optional<WatcherKind> known = kinds.find(kind);
        known.ifPresentOrElse(
                found -> kinds.faults(found, settings(form), before).entrySet().stream()
                        .sorted(Comparator.comparingInt(fault -> FIELDS.indexOf(fault.getKey())))
                        .forEach(fault -> errors.rejectValue(
                                fault.getKey(), "watcher.fault." + fault.getValue(), fault.getValue())),
                () -> errors.reject("watcher.answer.NO_KIND"));
    }

    private String form(
            @Nullable Watcher watcher, String kind, Map<String, String> form, BindingResult errors, Model model) {
        WatcherKind known = kinds.find(kind).orElseThrow(() -> new PageNotFoundException("no-watcher", kind));
        model.addAttribute("watcher", watcher);
        model.addAttribute("kind", kind);
        model.addAttribute("kinds", kinds.all());
        model.addAttribute("defaults", new TreeMap<>(known.defaults()));
        model.addAttribute("secrets", known.secrets());
        model.addAttribute("form", form);
        model.addAttribute(BindingResult.MODEL_KEY_PREFIX + "form", errors);
        model.addAttribute("lists", lists.all());
        model.addAttribute("templates", gallery.offered(null));
        model.addAttribute(
                "zones", ZoneId.getAvailableZoneIds().stream().sorted().toList());
        return "watcher/one";
    }

    private Watcher require(String name) {
        return watchers.find(name).orElseThrow(() -> new PageNotFoundException("no-watcher", name));
    }
}
