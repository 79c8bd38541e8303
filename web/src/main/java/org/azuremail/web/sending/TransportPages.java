package org.azuremail.web.sending;

import java.security.Principal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.azuremail.list.MailingList;
import org.azuremail.mail.MailProperties.WhenFull;
import org.azuremail.message.MessageStore;
import org.azuremail.sending.SettingField;
import org.azuremail.sending.StoredTransport;
import org.azuremail.sending.TransportDirectory.Snapshot;
import org.azuremail.storage.Versioned;
import org.azuremail.web.layout.FormErrors;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.PageNotFoundException;
import org.azuremail.web.layout.Question;
import org.azuremail.web.sending.TransportChanges.Saving;
import org.azuremail.web.sending.TransportChanges.Wanted;
import org.jspecify.annotations.Nullable;
import org.springframework.context.support.MessageSourceAccessor;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.validation.MapBindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages for adding, changing and removing a transport. */
@Controller
record TransportPages(TransportChanges changes, MessageStore messages, MessageSourceAccessor texts) {

    private static final String FIELD = "set.";

    @GetMapping("/settings/new")
    String choose(@RequestParam @Nullable String preset, Model model) {
        List<Preset> presets = Preset.all(changes.kinds());
        if (preset == null) {
            model.addAttribute("presets", presets);
            return "sending/choose";
        }
        Preset chosen = require(preset, presets);
        Map<String, String> typed = new LinkedHashMap<>();
        typed.put("name", chosen.code());
        chosen.settings().forEach((setting, value) -> typed.put(input(setting), value));
        model.addAttribute("preset", chosen.code());
        return form(chosen.kind(), typed, new MapBindingResult(typed, "form"), null, model);
    }

    private static Preset require(String code, List<Preset> presets) {
        return presets.stream()
                .filter(one -> one.code().equals(code))
                .findFirst()
                .orElseThrow(() -> new PageNotFoundException("no-provider"));
    }

    @PostMapping("/settings/new")
    String add(@RequestParam String preset, @RequestParam Map<String, String> sent, Principal me, Model model) {
        Preset chosen = require(preset, Preset.all(changes.kinds()));
        Map<String, String> typed = new LinkedHashMap<>(sent);
        Wanted wanted = wanted(typed.getOrDefault("name", "").strip(), chosen.kind(), typed);
        Saving saving = changes.add(wanted, chosen.limits(), me.getName());
        if (saving instanceof Saving.Refused refused) {
            model.addAttribute("preset", chosen.code());
            return form(chosen.kind(), typed, errors(typed, refused), null, model);
        }
        return Notice.done("transport-added", wanted.name()).on(SendingPages.path(wanted.name()));
    }

    private static Wanted wanted(String name, String kind, Map<String, String> typed) {
        Map<String, String> settings = new LinkedHashMap<>();
        typed.forEach((input, value) -> {
            if (input.startsWith(FIELD)) {
                settings.put(input.substring(FIELD.length()), value);
            }
        });
        return new Wanted(name, kind, settings, "next".equals(typed.get("whenFull")) ? WhenFull.NEXT : WhenFull.WAIT);
    }

    private BindingResult errors(Map<String, String> typed, Saving.Refused refused) {
        MapBindingResult errors = new MapBindingResult(typed, "form");
        for (TransportChanges.Problem problem : refused.problems()) {
            String code = "error.sending." + problem.code();
            if (problem.setting().isEmpty()) {
                errors.reject(code);
            } else {
                String field = problem.setting().equals("name") ? "name" : input(problem.setting());
                FormErrors.reject(
                        errors, field, code, texts.getMessage("label." + input(problem.setting()), problem.setting()));
            }
        }
        return errors;
    }

    private static String input(String setting) {
        return FIELD + setting;
    }

    private String form(
            String kind, Map<String, String> typed, BindingResult errors, @Nullable String etag, Model model) {
        List<SettingField> fields =
                SettingField.of(changes.kinds().find(kind).orElseThrow(() -> new PageNotFoundException("no-provider")));
        for (SettingField field : fields) {
            typed.putIfAbsent(input(field.name()), field.preset().toLowerCase(Locale.ROOT));
        }
        typed.putIfAbsent("name", "");
        typed.putIfAbsent("whenFull", "wait");
        model.addAttribute("form", typed);
        model.addAttribute(BindingResult.MODEL_KEY_PREFIX + "form", errors);
        model.addAttribute("fields", fields);
        model.addAttribute("kind", kind);
        model.addAttribute("etag", etag);
        model.addAttribute("title", title(model));
        model.addAttribute("noKey", !changes.secrets().ready());
        return "sending/edit";
    }

    private String title(Model model) {
        String preset = String.valueOf(model.getAttribute("preset"));
        return model.getAttribute("name") instanceof String name
                ? texts.getMessage("sending.edit", new Object[] {name})
                : texts.getMessage("sending.preset." + preset, preset);
    }

    @GetMapping("/settings/transports/{name}/edit")
    String edit(@PathVariable String name, Model model) {
        return edit(requireAdded(name), model);
    }

    private String edit(Versioned<StoredTransport> stored, Model model) {
        StoredTransport added = stored.value();
        Map<String, String> typed = new LinkedHashMap<>();
        added.settings().forEach((setting, value) -> typed.put(input(setting), value));
        typed.put("whenFull", added.whenFull().name().toLowerCase(Locale.ROOT));
        model.addAttribute("name", added.name());
        model.addAttribute("secretNames", added.secrets().keySet());
        return form(added.kind(), typed, new MapBindingResult(typed, "form"), stored.etag(), model);
    }

    @PostMapping("/settings/transports/{name}/edit")
    String change(
            @PathVariable String name,
            @RequestParam String etag,
            @RequestParam Map<String, String> sent,
            Principal me,
            Model model) {
        Versioned<StoredTransport> stored = requireAdded(name);
        Map<String, String> typed = new LinkedHashMap<>(sent);
        Saving saving = changes.change(wanted(name, stored.value().kind(), typed), etag, me.getName());
        if (saving instanceof Saving.Saved) {
            return Notice.done("transport-saved", name).on(SendingPages.path(name));
        }
        model.addAttribute("name", name);
        model.addAttribute("secretNames", stored.value().secrets().keySet());
        if (saving instanceof Saving.Refused refused) {
            return form(stored.value().kind(), typed, errors(typed, refused), etag, model);
        }
        Versioned<StoredTransport> current = requireAdded(name);
        return form(current.value().kind(), typed, conflict(typed, current.value()), current.etag(), model);
    }

    /** Returns a conflict: the typed text stays, and the current one is shown beside it. */
    private static BindingResult conflict(Map<String, String> typed, StoredTransport current) {
        MapBindingResult errors = new MapBindingResult(typed, "form");
        errors.reject("conflict");
        current.settings()
                .forEach((setting, value) ->
                        FormErrors.current(errors, input(setting), value, typed.get(input(setting))));
        return errors;
    }

    @GetMapping("/settings/transports/{name}/remove")
    String askToRemove(@PathVariable String name, Model model) {
        Versioned<StoredTransport> stored = requireAdded(name);
        if (changes.lastInUse(name)) {
            return Notice.problem("transport-last", name).on(SendingPages.path(name));
        }
        List<MailingList> users = changes.listsOf(name);
        String path = SendingPages.path(name);
        Question question = new Question("remove-transport", path + "/remove", path)
                .about(name, users.size(), messages.begun().size())
                .with("etag", stored.etag());
        if (!users.isEmpty()) {
            question = question.showing(
                    "lists",
                    users.stream().limit(20).map(list -> list.name().value()).collect(Collectors.joining(", ")));
        }
        return question.ask(model, "sending");
    }

    @PostMapping("/settings/transports/{name}/remove")
    String remove(@PathVariable String name, @RequestParam String etag, Principal me) {
        requireAdded(name);
        if (changes.lastInUse(name)) {
            return Notice.problem("transport-last", name).on(SendingPages.path(name));
        }
        return changes.remove(name, etag, me.getName())
                ? Notice.done("transport-removed", name).on(SendingPages.HOME)
                : Notice.problem("transport-changed", name).on(SendingPages.path(name));
    }

    private Versioned<StoredTransport> requireAdded(String name) {
        Snapshot now = changes.transports().refresh();
        if (now.find(name).isEmpty()) {
            throw new PageNotFoundException("no-transport");
        }
        Versioned<StoredTransport> added = now.added().get(name);
        if (added == null) {
            throw new PageNotFoundException("fixed-transport");
        }
        return added;
    }
}
