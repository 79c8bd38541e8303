package org.azuremail.web.sending;

import java.security.Principal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.azuremail.limit.Limits;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.MailProperties.Configured;
import org.azuremail.mail.Mailbox;
import org.azuremail.reason.Reason;
import org.azuremail.route.Breakers;
import org.azuremail.sending.SettingField;
import org.azuremail.sending.StoredTransport;
import org.azuremail.sending.TransportDirectory.Snapshot;
import org.azuremail.sending.TransportHistory.EventKind;
import org.azuremail.sending.TransportTester;
import org.azuremail.storage.Versioned;
import org.azuremail.web.layout.FormErrors;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.PageNotFoundException;
import org.azuremail.web.sending.TransportChanges.Move;
import org.jspecify.annotations.Nullable;
import org.springframework.context.support.MessageSourceAccessor;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The page <em>Settings › Sending</em>: the transports in the order in which they are tried. */
@Controller
record SendingPages(TransportChanges changes, TransportTester tester, MessageSourceAccessor texts) {

    static final String HOME = "/settings";
    private static final int HISTORY = 20;

    /**
     * A transport on the page.
     *
     * @param place the place in the order, from 1; 0 if it is outside the order and only used by lists that name it
     * @param waits the reason why it does not send emails; {@code null} if it does
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

    record TestForm(@Nullable String to, @Nullable String from) {}

    /** Returns whether the only transport is the default because none was configured. */
    @ModelAttribute("byDefault")
    boolean byDefault() {
        return changes.transports().outboxByDefault();
    }

    @GetMapping(HOME)
    String all(Model model) {
        Snapshot now = changes.transports().refresh();
        List<Breakers.Waiting> waiting = changes.breakers().waiting();
        model.addAttribute(
                "transports",
                now.all().stream().map(one -> line(one, now, waiting)).toList());
        model.addAttribute("order", now.order());
        model.addAttribute("keepsOnly", !changes.transports().sendsExternally());
        model.addAttribute("noKey", !changes.secrets().ready());
        return "sending/all";
    }

    private Line line(Configured one, Snapshot now, List<Breakers.Waiting> waiting) {
        Versioned<StoredTransport> added = now.added().get(one.name());
        return new Line(
                one,
                server(one, added),
                added == null,
                now.order().indexOf(one.name()) + 1,
                changes.limits().of(one.name()).limits(),
                waiting.stream()
                        .filter(other -> other.transport().equals(one.name()))
                        .findFirst()
                        .orElse(null),
                added != null && !changes.opener().readable(added.value()));
    }

    private String server(Configured one, @Nullable Versioned<StoredTransport> added) {
        String kind = texts.getMessage("sending.kind." + one.kind(), one.kind());
        String host = added == null ? null : added.value().settings().get("host");
        return host == null ? kind : kind + ", " + host;
    }

    @GetMapping("/settings/transports/{name}")
    String one(@PathVariable String name, Principal me, Model model) {
        return page(name, me, model);
    }

    /** Returns the sender address of the first list, which the provider most likely knows. */
    private String from(Principal me) {
        return changes.lists().all().stream()
                .findFirst()
                .map(list -> list.fromEmail().value())
                .orElse(me.getName());
    }

    /** Shows the page. A form that was posted is in the model already, with its faults. */
    private String page(String name, Principal me, Model model) {
        Snapshot now = changes.transports().refresh();
        Configured one = require(name);
        Versioned<StoredTransport> added = now.added().get(name);
        Line line = line(one, now, changes.breakers().waiting());
        model.addAttribute("line", line);
        model.asMap().computeIfAbsent("form", key -> LimitForm.of(line.limits()));
        model.asMap().computeIfAbsent("test", key -> new TestForm(me.getName(), from(me)));
        model.asMap().putIfAbsent("shown", LimitForm.shown(line.limits()));
        model.addAttribute("order", now.order());
        model.addAttribute("facts", added == null ? Map.of() : facts(added.value()));
        model.addAttribute(
                "secretNames",
                added == null ? List.of() : added.value().secrets().keySet());
        model.addAttribute("history", changes.history().of(name, HISTORY));
        model.addAttribute("last", changes.lastInUse(name));
        return "sending/one";
    }

    private Map<String, String> facts(StoredTransport stored) {
        Map<String, String> facts = new LinkedHashMap<>();
        changes.kinds().find(stored.kind()).ifPresent(kind -> SettingField.of(kind)
                .forEach(field -> {
                    String value = stored.settings().getOrDefault(field.name(), field.preset());
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
        if (typed.isPresent()) {
            Optional<Limits> seen = form.seen();
            if (seen.isPresent() && changes.limit(name, seen.get(), typed.get(), me.getName())) {
                return Notice.done("limits-saved").on(path(name));
            }
            Limits now = changes.limits().of(name).limits();
            form.conflict(now, errors);
            model.addAttribute("shown", LimitForm.shown(now));
        } else {
            model.addAttribute("shown", form.shown());
        }
        return page(name, me, model);
    }

    /** Redirects a browser that requests the address of a form's answer, such as on reload. */
    @GetMapping({"/settings/transports/{name}/test", "/settings/transports/{name}/limits"})
    String again(@PathVariable String name) {
        return "redirect:" + path(require(name).name());
    }

    @PostMapping("/settings/transports/{name}/try")
    String tryAgain(@PathVariable String name, Principal me) {
        changes.retryNow(require(name).name());
        changes.history().note(name, EventKind.TRIED, me.getName(), Reason.NONE);
        return Notice.done("transport-tried").on(path(name));
    }

    /** Sends one test email and shows the conversation. Only its success or failure is stored. */
    @PostMapping("/settings/transports/{name}/test")
    String test(
            @PathVariable String name,
            @ModelAttribute("test") TestForm form,
            BindingResult errors,
            Principal me,
            Model model) {
        Configured one = require(name);
        Optional<EmailAddress> to = FormErrors.address(errors, "to", form.to());
        Optional<EmailAddress> from = FormErrors.address(errors, "from", form.from());
        if (to.isPresent() && from.isPresent()) {
            TransportTester.Result result = tester.run(one, added(name), letter(name, from.get(), to.get()));
            boolean sent = result.verdict() == TransportTester.Verdict.ACCEPTED;
            changes.history()
                    .note(name, sent ? EventKind.TEST_SENT : EventKind.TEST_FAILED, me.getName(), result.reason());
            model.addAttribute("result", result);
        }
        return page(name, me, model);
    }

    private TransportTester.TestEmail letter(String name, EmailAddress from, EmailAddress to) {
        return new TransportTester.TestEmail(
                new Mailbox(from, ""),
                new Mailbox(to, ""),
                texts.getMessage("sending.test.subject", ""),
                texts.getMessage("sending.test.body", new Object[] {name}));
    }

    private Optional<StoredTransport> added(String name) {
        return Optional.ofNullable(changes.transports().refresh().added().get(name))
                .map(Versioned::value);
    }

    @PostMapping("/settings/order")
    String move(@RequestParam String name, @RequestParam String move, @RequestParam String before, Principal me) {
        Optional<Move> wanted = Arrays.stream(Move.values())
                .filter(one -> one.name().equals(move))
                .findFirst();
        boolean moved = wanted.isPresent()
                && changes.move(require(name).name(), wanted.get(), List.of(before.split(" ")), me.getName());
        if (!moved) {
            return Notice.problem("order-changed").on(HOME);
        }
        boolean alone = wanted.get() == Move.USE
                && changes.transports().refresh().order().equals(List.of(name));
        return (alone ? Notice.done("order-used", name) : Notice.done("order-saved")).on(HOME);
    }

    static String path(String name) {
        return "/settings/transports/" + name;
    }

    private Configured require(String name) {
        return changes.transports().refresh().find(name).orElseThrow(() -> new PageNotFoundException("no-transport"));
    }
}
