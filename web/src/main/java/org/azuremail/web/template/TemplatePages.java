package org.azuremail.web.template;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.algorithm.myers.MyersDiffWithLinearSpace;
import java.security.Principal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.content.Escaping;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.listmail.ConfirmationMail;
import org.azuremail.listmail.ListIdentity;
import org.azuremail.template.CompiledTemplate;
import org.azuremail.template.TemplateCompiler;
import org.azuremail.template.TemplateFault;
import org.azuremail.template.TemplateName;
import org.azuremail.template.Templates;
import org.azuremail.template.Templates.Entry;
import org.azuremail.template.Templates.Saving;
import org.azuremail.web.layout.FormErrors;
import org.azuremail.web.layout.MailFrame;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.PageNotFoundException;
import org.azuremail.web.layout.Question;
import org.azuremail.web.membership.SubscriberViews;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * The pages of a list's templates. No such page is rendered from one of these templates, so that they can be reverted
 * whatever they contain.
 */
@Controller
record TemplatePages(ListStore lists, Templates templates, SubscriberViews views, AzureMailProperties settings) {

    private static final String SECTION = "lists";

    @GetMapping("/lists/{list}/templates")
    String all(@PathVariable("list") ListName name, Model model) {
        model.addAttribute("list", require(name));
        model.addAttribute("entries", templates.all(name).values());
        return "template/all";
    }

    @GetMapping("/lists/{list}/templates/{file}")
    String edit(
            @PathVariable("list") ListName name,
            @PathVariable String file,
            @RequestParam @Nullable String occasion,
            Model model) {
        MailingList list = require(name);
        Entry entry = templates.find(name, require(file));
        Form form = new Form(entry.text(), entry.etag(), occasion);
        model.addAttribute("form", form);
        return show(list, entry, form, model);
    }

    private static String show(MailingList list, Entry entry, Form form, Model model) {
        model.addAttribute("list", list);
        model.addAttribute("entry", entry);
        model.asMap().putIfAbsent("etag", form.etag());
        model.addAttribute("occasion", form.state(entry.name()).name());
        if (entry.own() != null) {
            model.addAttribute("diff", diff(entry.shared().text(), entry.text()));
        }
        return "template/edit";
    }

    @PostMapping("/lists/{list}/templates/{file}")
    String save(
            @PathVariable("list") ListName name,
            @PathVariable String file,
            Form form,
            BindingResult errors,
            Principal me,
            Model model) {
        MailingList list = require(name);
        Entry seen = templates.find(name, require(file));
        Saving saving = seen.etag().equals(form.etag())
                ? templates.save(list, seen, form.typed(), me.getName())
                : new Saving.Conflict(seen);
        if (saving instanceof Saving.Done done) {
            return Notice.done("template-saved", list.name().value())
                    .on(address(list, done.entry().name()));
        }
        if (saving instanceof Saving.Refused refused) {
            refuse(refused.fault(), errors);
            model.addAttribute("faultLine", refused.fault().line());
            return show(list, seen, form, model);
        }
        if (saving instanceof Saving.NoSuchList) {
            throw new PageNotFoundException("no-list", name.value());
        }
        Entry current = ((Saving.Conflict) saving).current();
        errors.reject("error.template.conflict");
        model.addAttribute("theirs", current.text());
        model.addAttribute("etag", current.etag());
        return show(list, current, form, model);
    }

    private static void refuse(TemplateFault fault, BindingResult errors) {
        FormErrors.reject(errors, "text", "error.template", fault.reason().words());
    }

    @GetMapping("/lists/{list}/templates/{file}/revert")
    String askToRevert(@PathVariable("list") ListName name, @PathVariable String file, Model model) {
        MailingList list = require(name);
        Entry entry = templates.find(name, require(file));
        String back = address(list, entry.name());
        return new Question("revert-template", back + "/revert", back)
                .about(entry.name().file(), name.value())
                .with("etag", entry.etag())
                .ask(model, SECTION);
    }

    @PostMapping("/lists/{list}/templates/{file}/revert")
    String revert(@PathVariable("list") ListName name, @PathVariable String file, @RequestParam String etag) {
        MailingList list = require(name);
        Entry seen = templates.find(name, require(file));
        boolean newer = seen.own() != null && !seen.etag().equals(etag);
        boolean done = !newer && templates.revert(name, seen) instanceof Saving.Done;
        Notice notice = done
                ? Notice.done("template-reverted", seen.name().file())
                : Notice.problem("template-newer", seen.name().file());
        return notice.on(address(list, seen.name()));
    }

    @GetMapping("/lists/{list}/templates/{file}/preview")
    ResponseEntity<String> saved(
            @PathVariable("list") ListName name, @PathVariable String file, @RequestParam @Nullable String occasion) {
        MailingList list = require(name);
        Entry entry = templates.find(name, require(file));
        return preview(list, entry.name(), new Form(entry.text(), entry.etag(), occasion));
    }

    /** Shows a preview of a template as it is typed. Saves nothing. */
    @PostMapping("/lists/{list}/templates/{file}/preview")
    ResponseEntity<String> typed(@PathVariable("list") ListName name, @PathVariable String file, Form form) {
        return preview(require(name), require(file), form);
    }

    private ResponseEntity<String> preview(MailingList list, TemplateName name, Form form) {
        TemplateCompiler.Result result = TemplateCompiler.compile(name, form.typed());
        return result.template() == null
                ? MailFrame.of(
                        plain(Objects.requireNonNull(result.fault()).reason().words()))
                : preview(list, name, result.template(), form.state(name));
    }

    private static String address(MailingList list, TemplateName name) {
        return "/lists/" + list.name() + "/templates/" + name.file();
    }

    private MailingList require(ListName name) {
        return lists.findActive(name).orElseThrow(() -> new PageNotFoundException("no-list", name.value()));
    }

    private static TemplateName require(String file) {
        return TemplateName.of(file)
                .orElseThrow(() -> new PageNotFoundException("no-template", Objects.toString(file)));
    }

    /**
     * A template as typed.
     *
     * @param etag the ETag of the version from which the form was filled
     * @param occasion the occasion of the template that the preview shows
     */
    record Form(
            @Nullable String text,
            @Nullable String etag,
            @Nullable String occasion) {

        String typed() {
            return Objects.requireNonNullElse(text, "").replace("\r\n", "\n");
        }

        TemplateName.State state(TemplateName name) {
            return name.states().stream()
                    .filter(state -> state.name().equals(occasion))
                    .findFirst()
                    .orElse(name.states().get(0));
        }
    }

    private static final int CONTEXT = 3;

    /**
     * A line of a comparison.
     *
     * @param kind {@code added}, {@code removed}, {@code place} or {@code same}
     */
    record Line(String kind, String text) {}

    /** Returns the differences; empty when both texts are the same. */
    private static List<Line> diff(String shared, String own) {
        List<String> before = shared.lines().toList();
        List<String> after = own.lines().toList();
        return UnifiedDiffUtils.generateUnifiedDiff(
                        "shared",
                        "own",
                        before,
                        DiffUtils.diff(before, after, new MyersDiffWithLinearSpace<>(String::equals)),
                        CONTEXT)
                .stream()
                .skip(2)
                .map(line -> new Line(kind(line), line))
                .toList();
    }

    private static String kind(String line) {
        return line.startsWith("+")
                ? "added"
                : line.startsWith("-") ? "removed" : line.startsWith("@@") ? "place" : "same";
    }

    private static final Map<String, String> SOMEBODY = Map.of(
            "email",
            "al**@*******.org",
            "confirm",
            "#confirm",
            "unsubscribe",
            "#unsubscribe",
            "preferences",
            "#preferences");

    private ResponseEntity<String> preview(
            MailingList list, TemplateName name, CompiledTemplate template, TemplateName.State state) {
        Map<String, Object> values = new HashMap<>(state.values());
        values.put("list", ListIdentity.of(list).title());
        values.put("list-name", list.name().value());
        if (name.email()) {
            values.putAll(ConfirmationMail.values(ListIdentity.of(list), settings.publicUrl()));
            Escaping escaping = name.plain() ? Escaping.NONE : Escaping.HTML;
            String email = template.template(values).merge(SOMEBODY, escaping);
            return MailFrame.of(name.plain() ? plain(email) : email);
        }
        Templates.TemplateSet chosen = templates.of(list.name());
        if (name == TemplateName.LAYOUT) {
            TemplateName inside = TemplateName.UNSUBSCRIBE;
            Map<String, Object> sample = new HashMap<>(inside.states().get(0).values());
            sample.put("list", ListIdentity.of(list).title());
            return views.preview(template, list, chosen.get(inside).render(sample));
        }
        return views.preview(chosen.get(TemplateName.LAYOUT), list, template.render(values));
    }

    private static String plain(String text) {
        return "<pre style=\"white-space:pre-wrap;font:1rem/1.5 monospace\">" + Escaping.HTML.apply(text) + "</pre>";
    }
}
