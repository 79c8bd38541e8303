package org.azuremail.web.sending;

import java.security.Principal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.azuremail.limit.Limits;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.MailProperties.Configured;
import org.azuremail.mail.MailProperties.WhenFull;
import org.azuremail.mail.Mailbox;
import org.azuremail.message.MessageStore;
import org.azuremail.reason.Reason;
import org.azuremail.route.Breakers;
import org.azuremail.sending.SettingField;
import org.azuremail.sending.StoredTransport;
import org.azuremail.sending.TransportDirectory.Snapshot;
import org.azuremail.sending.TransportHistory.What;
import org.azuremail.sending.TransportTester;
import org.azuremail.storage.Versioned;
import org.azuremail.web.layout.NotHere;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.Question;
import org.azuremail.web.sending.TransportDesk.Move;
import org.azuremail.web.sending.TransportDesk.Saving;
import org.azuremail.web.sending.TransportDesk.Wanted;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSource;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.validation.MapBindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Settings › Sending: the transports, in the order in which they are asked. */
@Controller
record SendingPages(TransportDesk desk, TransportTester tester, MessageStore messages, MessageSource texts) {

    private static final String HOME = "/settings";
    private static final String FIELD = "set.";
    private static final int HISTORY = 20;

    /**
     * A transport as the page shows it.
     *
     * @param place in the order, from 1; 0 for one that only lists use which name it
     * @param waits why no mail flows by it; {@code null} when it does
     * @param unreadable whether its secrets were stored under another key
     */
    record Line(
            Configured one,
            String server,
            boolean fixed,
            int place,
            Limits limits,
            Breakers.@Nullable Waiting waits,
            boolean unreadable) {}

    /** The addresses that somebody typed for a test. */
    record TestForm(@Nullable String to, @Nullable String from) {}

    /** Returns whether the one transport of the settings is there because nobody set any. */
    @ModelAttribute("byDefault")
    boolean byDefault() {
        return desk.transports().outboxByDefault();
    }

    @GetMapping(HOME)
    String all(Model model) {
        Snapshot now = desk.transports().now();
        List<Breakers.Waiting> waiting = desk.breakers().waiting();
        model.addAttribute(
                "transports",
                now.all().stream().map(one -> line(one, now, waiting)).toList());
        model.addAttribute("order", now.order());
        model.addAttribute("keepsOnly", !desk.transports().leaves());
        model.addAttribute("noKey", !desk.secrets().ready());
        return "sending/all";
    }

    private Line line(Configured one, Snapshot now, List<Breakers.Waiting> waiting) {
        Versioned<StoredTransport> added = now.added().get(one.name());
        return new Line(
                one,
                server(one, added),
                added == null,
                now.order().indexOf(one.name()) + 1,
                desk.limits().of(one.name()).limits(),
                waiting.stream()
                        .filter(other -> other.transport().equals(one.name()))
                        .findFirst()
                        .orElse(null),
                added != null && !desk.opener().readable(added.value()));
    }

    private String server(Configured one, @Nullable Versioned<StoredTransport> added) {
        String kind = text("sending.kind." + one.kind(), one.kind());
        String host = added == null ? null : added.value().settings().get("host");
        return host == null ? kind : kind + ", " + host;
    }

    private String text(String code, String missing) {
        return String.valueOf(texts.getMessage(code, null, missing, LocaleContextHolder.getLocale()));
    }

    @GetMapping("/settings/transports/{name}")
    String one(@PathVariable String name, Principal me, Model model) {
        model.addAttribute(
                "form", LimitForm.of(desk.limits().of(require(name).name()).limits()));
        model.addAttribute("test", new TestForm(me.getName(), from(me)));
        return page(name, model);
    }

    /** The address of the first list: the provider knows it, most likely. */
    private String from(Principal me) {
        return desk.lists().all().stream()
                .findFirst()
                .map(list -> list.fromEmail().value())
                .orElse(me.getName());
    }

    private String page(String name, Model model) {
        Snapshot now = desk.transports().now();
        Configured one = require(name);
        Versioned<StoredTransport> added = now.added().get(name);
        model.addAttribute("line", line(one, now, desk.breakers().waiting()));
        model.addAttribute("order", now.order());
        model.addAttribute("facts", added == null ? Map.of() : facts(added.value()));
        model.addAttribute(
                "secretNames",
                added == null ? List.of() : added.value().secrets().keySet());
        model.addAttribute("history", desk.history().of(name, HISTORY));
        model.addAttribute("last", desk.lastInUse(name));
        return "sending/one";
    }

    private Map<String, String> facts(StoredTransport added) {
        Map<String, String> facts = new LinkedHashMap<>();
        desk.kinds().find(added.kind()).ifPresent(kind -> SettingField.of(kind).forEach(field -> {
            String value = added.settings().getOrDefault(field.name(), field.preset());
            if (field.type() != SettingField.Type.SECRET && !value.isEmpty()) {
                facts.put(field.name(), value);
            }
        }));
        return facts;
    }

    @PostMapping("/settings/transports/{name}/limits")
    String limit(
            @PathVariable String name,
            @ModelAttribute("form") LimitForm form,
            BindingResult errors,
            Principal me,
            Model model) {
        require(name);
        Optional<Limits> typed = form.limits(errors);
        if (typed.isEmpty()) {
            model.addAttribute("test", new TestForm(me.getName(), from(me)));
            return page(name, model);
        }
        desk.limit(name, typed.get(), me.getName());
        return Notice.done("limits-saved").on(path(name));
    }

    @PostMapping("/settings/transports/{name}/try")
    String tryAgain(@PathVariable String name, Principal me) {
        desk.tryAgain(require(name).name());
        desk.history().note(name, What.TRIED, me.getName(), Reason.NONE);
        return Notice.done("transport-tried").on(path(name));
    }

    /** Sends one email and shows the conversation; nothing of it is stored but whether it worked. */
    @PostMapping("/settings/transports/{name}/test")
    String test(
            @PathVariable String name,
            @ModelAttribute("test") TestForm form,
            BindingResult errors,
            Principal me,
            Model model) {
        Configured one = require(name);
        Optional<EmailAddress> to = address("to", form.to(), errors);
        Optional<EmailAddress> from = address("from", form.from(), errors);
        if (to.isPresent() && from.isPresent()) {
            TransportTester.Result result = tester.run(one, added(name), letter(name, from.get(), to.get()));
            boolean sent = result.verdict() == TransportTester.Verdict.ACCEPTED;
            desk.history().note(name, sent ? What.TEST_SENT : What.TEST_FAILED, me.getName(), result.reason());
            model.addAttribute("result", result);
        }
        model.addAttribute("form", LimitForm.of(desk.limits().of(name).limits()));
        return page(name, model);
    }

    private TransportTester.Letter letter(String name, EmailAddress from, EmailAddress to) {
        return new TransportTester.Letter(
                new Mailbox(from, ""),
                new Mailbox(to, ""),
                text("sending.test.subject", ""),
                String.valueOf(
                        texts.getMessage("sending.test.body", new Object[] {name}, LocaleContextHolder.getLocale())));
    }

    private Optional<StoredTransport> added(String name) {
        return Optional.ofNullable(desk.transports().now().added().get(name)).map(Versioned::value);
    }

    private static Optional<EmailAddress> address(String field, @Nullable String typed, BindingResult errors) {
        Optional<EmailAddress> address = EmailAddress.parse(typed == null ? "" : typed);
        if (address.isEmpty()) {
            errors.rejectValue(field, "error.address");
        }
        return address;
    }

    @GetMapping("/settings/new")
    String choose(@RequestParam(required = false) @Nullable String preset, Model model) {
        List<Preset> presets = Preset.all(desk.kinds());
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
                .orElseThrow(() -> new NotHere("no-provider"));
    }

    @PostMapping("/settings/new")
    String add(@RequestParam String preset, @RequestParam Map<String, String> sent, Principal me, Model model) {
        Preset chosen = require(preset, Preset.all(desk.kinds()));
        Map<String, String> typed = new LinkedHashMap<>(sent);
        Wanted wanted = wanted(typed.getOrDefault("name", "").strip(), chosen.kind(), typed);
        Saving saving = desk.add(wanted, chosen.limits(), me.getName());
        if (saving instanceof Saving.Refused refused) {
            model.addAttribute("preset", chosen.code());
            return form(chosen.kind(), typed, errors(typed, refused), null, model);
        }
        return Notice.done("transport-added", wanted.name()).on(path(wanted.name()));
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
        for (TransportDesk.Problem problem : refused.problems()) {
            String code = "error.sending." + problem.code();
            if (problem.setting().isEmpty()) {
                errors.reject(code);
            } else {
                String field = problem.setting().equals("name") ? "name" : input(problem.setting());
                errors.rejectValue(field, code, new Object[] {label(problem.setting())}, null);
            }
        }
        return errors;
    }

    private String label(String setting) {
        return text("label." + input(setting), setting);
    }

    private static String input(String setting) {
        return FIELD + setting;
    }

    private String form(
            String kind, Map<String, String> typed, BindingResult errors, @Nullable String etag, Model model) {
        List<SettingField> fields =
                SettingField.of(desk.kinds().find(kind).orElseThrow(() -> new NotHere("no-provider")));
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
        model.addAttribute("noKey", !desk.secrets().ready());
        return "sending/edit";
    }

    private String title(Model model) {
        String preset = String.valueOf(model.getAttribute("preset"));
        return model.getAttribute("name") instanceof String name
                ? texts.getMessage("sending.edit", new Object[] {name}, LocaleContextHolder.getLocale())
                : text("sending.preset." + preset, preset);
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
        Saving saving = desk.change(wanted(name, stored.value().kind(), typed), etag, me.getName());
        if (saving instanceof Saving.Saved) {
            return Notice.done("transport-saved", name).on(path(name));
        }
        model.addAttribute("name", name);
        model.addAttribute("secretNames", stored.value().secrets().keySet());
        BindingResult errors = saving instanceof Saving.Refused refused
                ? errors(typed, refused)
                : conflict(typed, requireAdded(name).value());
        String shown =
                saving instanceof Saving.Refused ? etag : requireAdded(name).etag();
        return form(stored.value().kind(), typed, errors, shown, model);
    }

    /** The typed text stays, with the current one beside it. */
    private static BindingResult conflict(Map<String, String> typed, StoredTransport current) {
        MapBindingResult errors = new MapBindingResult(typed, "form");
        errors.reject("conflict");
        current.settings().forEach((setting, value) -> {
            if (!value.equals(typed.get(input(setting)))) {
                errors.rejectValue(input(setting), "current", new Object[] {value}, null);
            }
        });
        return errors;
    }

    @GetMapping("/settings/transports/{name}/remove")
    String askToRemove(@PathVariable String name, Model model) {
        Versioned<StoredTransport> stored = requireAdded(name);
        if (desk.lastInUse(name)) {
            return Notice.problem("transport-last", name).on(path(name));
        }
        List<MailingList> users = desk.listsOf(name);
        Question question = new Question("remove-transport", path(name) + "/remove", path(name))
                .about(name, users.size(), messages.begun().size())
                .with("etag", stored.etag());
        if (!users.isEmpty()) {
            question = question.showing(
                    "lists",
                    String.join(
                            ", ",
                            users.stream()
                                    .limit(20)
                                    .map(list -> list.name().value())
                                    .toList()));
        }
        return question.ask(model, "sending");
    }

    @PostMapping("/settings/transports/{name}/remove")
    String remove(@PathVariable String name, @RequestParam String etag, Principal me) {
        requireAdded(name);
        if (desk.lastInUse(name)) {
            return Notice.problem("transport-last", name).on(path(name));
        }
        return desk.remove(name, etag, me.getName())
                ? Notice.done("transport-removed", name).on(HOME)
                : Notice.problem("transport-changed", name).on(path(name));
    }

    @PostMapping("/settings/order")
    String move(@RequestParam String name, @RequestParam String move, @RequestParam String before, Principal me) {
        Optional<Move> wanted = Arrays.stream(Move.values())
                .filter(one -> one.name().equals(move))
                .findFirst();
        boolean moved = wanted.isPresent()
                && desk.move(require(name).name(), wanted.get(), List.of(before.split(" ")), me.getName());
        return (moved ? Notice.done("order-saved") : Notice.problem("order-changed")).on(HOME);
    }

    private static String path(String name) {
        return "/settings/transports/" + name;
    }

    private Configured require(String name) {
        return desk.transports().now().find(name).orElseThrow(() -> new NotHere("no-transport"));
    }

    private Versioned<StoredTransport> requireAdded(String name) {
        require(name);
        Versioned<StoredTransport> added = desk.transports().now().added().get(name);
        if (added == null) {
            throw new NotHere("fixed-transport");
        }
        return added;
    }
}
