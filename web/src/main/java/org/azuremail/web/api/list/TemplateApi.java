package org.azuremail.web.api.list;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.template.OwnTemplate;
import org.azuremail.template.TemplateFault;
import org.azuremail.template.TemplateName;
import org.azuremail.template.Templates;
import org.azuremail.template.Templates.Entry;
import org.azuremail.template.Templates.Saving;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.Lists;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.Tags;
import org.azuremail.web.key.ApiKey;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The templates of the pages and emails that subscribers of a list see. */
@RestController
@RequestMapping("/api/v1/lists/{list}/templates")
record TemplateApi(ListStore lists, Templates templates) {

    record NewText(@Nullable String text) {}

    /**
     * A template of a list.
     *
     * @param state {@code shared}, {@code customised}, {@code outdated} or {@code broken}
     * @param text {@code null} where templates are enumerated
     * @param fault why the list's copy is not used
     */
    record TemplateBody(
            String name,
            String state,
            @Nullable String text,
            @Nullable String fault,
            @Nullable String changedBy,
            @Nullable Instant changedAt) {

        static TemplateBody of(Entry entry, boolean whole) {
            OwnTemplate own = entry.own() == null ? null : entry.own().value();
            TemplateFault fault = entry.fault();
            return new TemplateBody(
                    entry.name().file(),
                    entry.state().name().toLowerCase(Locale.ROOT),
                    whole ? entry.text() : null,
                    fault == null ? null : fault.reason().words(),
                    own == null ? null : own.changedBy(),
                    own == null ? null : own.changedAt());
        }
    }

    @GetMapping
    Items<TemplateBody> all(@PathVariable String list) {
        List<TemplateBody> all = templates.all(require(list)).values().stream()
                .map(entry -> TemplateBody.of(entry, false))
                .toList();
        return new Items<>(all, null);
    }

    /** With the version in {@code If-None-Match}, the answer is 304 and empty. */
    @GetMapping("/{name}")
    ResponseEntity<TemplateBody> one(@PathVariable String list, @PathVariable String name) {
        return answer(templates.find(require(list), template(name)));
    }

    /** {@code If-None-Match: *} only creates a copy, {@code If-Match} only replaces what the caller has read. */
    @PutMapping("/{name}")
    ResponseEntity<TemplateBody> put(
            @PathVariable String list,
            @PathVariable String name,
            @RequestBody NewText wanted,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestHeader(name = HttpHeaders.IF_NONE_MATCH, required = false) @Nullable String ifNoneMatch,
            @AuthenticationPrincipal ApiKey key) {
        ListName there = require(list);
        TemplateName template = template(name);
        String text = wanted.text();
        if (text == null) {
            throw refusedText("Say what the template is to be.");
        }
        return ConditionalWrites.until("template " + name, () -> {
            Entry seen = templates.find(there, template);
            Tags.require(ifMatch, seen.etag());
            if ("*".equals(ifNoneMatch) && seen.own() != null) {
                throw RefusedCall.of(
                        HttpStatus.PRECONDITION_FAILED,
                        ProblemCode.VERSION_CHANGED,
                        "The list has a copy of this template already.");
            }
            Saving saving = templates.save(there, seen, text, "API key " + key.label());
            if (saving instanceof Saving.Refused refused) {
                throw refusedText(refused.fault());
            }
            return saving instanceof Saving.Done done ? Optional.of(answer(done.entry())) : Optional.empty();
        });
    }

    /** The list uses the shared template again; repeating it changes nothing. */
    @DeleteMapping("/{name}")
    ResponseEntity<TemplateBody> revert(
            @PathVariable String list,
            @PathVariable String name,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch) {
        ListName there = require(list);
        TemplateName template = template(name);
        return ConditionalWrites.until("template " + name, () -> {
            Entry seen = templates.find(there, template);
            Tags.require(ifMatch, seen.etag());
            return templates.revert(there, seen) instanceof Saving.Done done
                    ? Optional.of(answer(done.entry()))
                    : Optional.empty();
        });
    }

    private static ResponseEntity<TemplateBody> answer(Entry entry) {
        return ResponseEntity.ok().eTag(Tags.of(entry.etag())).body(TemplateBody.of(entry, true));
    }

    private static RefusedCall refusedText(TemplateFault fault) {
        return refusedText(fault.reason().words());
    }

    private static RefusedCall refusedText(String why) {
        return RefusedCall.fields(List.of(new RefusedCall.FieldProblem("text", why)));
    }

    private ListName require(String list) {
        return Lists.require(lists, list).name();
    }

    private static TemplateName template(String name) {
        return TemplateName.of(name).orElseThrow(() -> RefusedCall.notFound("There is no template " + name + "."));
    }
}
