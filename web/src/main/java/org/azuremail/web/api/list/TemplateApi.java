package org.azuremail.web.api.list;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.azuremail.list.MailingList;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.template.TemplateFault;
import org.azuremail.template.TemplateName;
import org.azuremail.template.Templates;
import org.azuremail.template.Templates.Entry;
import org.azuremail.template.Templates.Saving;
import org.azuremail.web.api.EntityTags;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.key.ApiKey;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The templates of the pages and emails that subscribers of a list see. */
@RestController
@RequestMapping("/api/v1/lists/{list}/templates")
record TemplateApi(Templates templates) {

    record NewText(@Nullable String text) {}

    /**
     * @param state {@code shared}, {@code customised}, {@code outdated} or {@code broken}
     * @param text the text of the template; {@code null} in listings
     * @param fault the reason why the list's copy is not used
     */
    record TemplateBody(
            String name,
            String state,
            @Nullable String text,
            @Nullable String fault,
            @Nullable String changedBy,
            @Nullable Instant changedAt) {

        static TemplateBody of(Entry entry, boolean whole) {
            Templates.OwnTemplate own = entry.own() == null ? null : entry.own().value();
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
    Items<TemplateBody> all(MailingList list) {
        return Items.all(templates.all(list.name()).values(), entry -> TemplateBody.of(entry, false));
    }

    /** Returns a template. If {@code If-None-Match} names its version, the answer is 304 without a body. */
    @GetMapping("/{name}")
    ResponseEntity<TemplateBody> one(@PathVariable String name, MailingList list) {
        return answer(templates.find(list.name(), template(name)));
    }

    /**
     * Saves the list's copy of a template. With {@code If-None-Match: *}, only creates a copy; with {@code If-Match},
     * only replaces the version that the caller has read.
     */
    @PutMapping("/{name}")
    ResponseEntity<TemplateBody> put(
            @PathVariable String name, @RequestBody NewText wanted, EntityTags tags, ApiKey key, MailingList list) {
        TemplateName template = template(name);
        String text = wanted.text();
        if (text == null) {
            throw RefusedCall.field("text", "Send the text of the template.");
        }
        return ConditionalWrites.retry("template " + name, () -> {
            Entry seen = templates.find(list.name(), template);
            tags.require(seen.etag());
            if (tags.isCreateOnly() && seen.own() != null) {
                throw new RefusedCall(ProblemCode.VERSION_CHANGED, "The list has a copy of this template already.");
            }
            Saving saving = templates.save(list, seen, text, key.author());
            if (saving instanceof Saving.Refused refused) {
                throw RefusedCall.field("text", refused.fault().reason().words());
            }
            if (saving instanceof Saving.NoSuchList) {
                throw new RefusedCall(ProblemCode.LIST_GONE, "The list " + list.name() + " was deleted.");
            }
            return saving instanceof Saving.Done done ? Optional.of(answer(done.entry())) : Optional.empty();
        });
    }

    /** Makes the list use the shared template again; repeating the call changes nothing. */
    @DeleteMapping("/{name}")
    ResponseEntity<TemplateBody> revert(@PathVariable String name, EntityTags tags, MailingList list) {
        TemplateName template = template(name);
        return ConditionalWrites.retry("template " + name, () -> {
            Entry seen = templates.find(list.name(), template);
            tags.require(seen.etag());
            return templates.revert(list.name(), seen) instanceof Saving.Done done
                    ? Optional.of(answer(done.entry()))
                    : Optional.empty();
        });
    }

    private static ResponseEntity<TemplateBody> answer(Entry entry) {
        return ResponseEntity.ok().eTag(EntityTags.of(entry.etag())).body(TemplateBody.of(entry, true));
    }

    private static TemplateName template(String name) {
        return TemplateName.of(name).orElseThrow(() -> RefusedCall.notFound("There is no template " + name + "."));
    }
}
