package org.azuremail.web.api.message;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.gallery.Gallery;
import org.azuremail.gallery.Gallery.MessageTemplate;
import org.azuremail.gallery.Mjml;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Versioned;
import org.azuremail.web.api.EntityTags;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.RequestFields;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Message templates: the templates that all lists may use, and the templates of one list. */
@RestController
@RequestMapping({"/api/v1/message-templates", "/api/v1/lists/{list}/message-templates"})
record MessageTemplateApi(Gallery gallery, ListStore lists) {

    record NewTemplate(@Nullable String mjml) {}

    /** @param mjml the text of the template; {@code null} in listings */
    record TemplateBody(
            String name, boolean shipped, @Nullable String mjml) {}

    @GetMapping
    Items<TemplateBody> all(@Nullable MailingList list) {
        ListName owner = owner(list);
        List<MessageTemplate> all = new ArrayList<>(owner == null ? Gallery.shipped() : List.of());
        all.addAll(gallery.stored(owner));
        return Items.all(all, one -> new TemplateBody(one.name(), one.shipped(), null));
    }

    @GetMapping("/{name}")
    ResponseEntity<TemplateBody> one(@PathVariable String name, @Nullable MailingList list) {
        ListName owner = owner(list);
        Optional<MessageTemplate> shipped =
                owner == null && Gallery.isShipped(name) ? gallery.find(name, null) : Optional.empty();
        return shipped.map(one -> ResponseEntity.ok(body(one)))
                .orElseGet(() -> answer(gallery.stored(owner, name).orElseThrow(() -> unknown(name)), HttpStatus.OK));
    }

    /**
     * Saves a template. With {@code If-None-Match: *}, only creates it; with {@code If-Match}, only replaces the
     * version that the caller has read.
     */
    @PutMapping("/{name}")
    ResponseEntity<TemplateBody> put(
            @PathVariable String name, @RequestBody NewTemplate wanted, EntityTags tags, @Nullable MailingList list) {
        MessageTemplate template = read(owner(list), name, wanted);
        return ConditionalWrites.retry("template " + name, () -> {
            Optional<Versioned<MessageTemplate>> stored = gallery.stored(template.list(), name);
            if (tags.isCreateOnly() && stored.isPresent()) {
                throw new RefusedCall(ProblemCode.VERSION_CHANGED, "There is a template of this name.");
            }
            stored.ifPresentOrElse(found -> tags.require(found.etag()), tags::requireNone);
            if (stored.isEmpty() && gallery.stored(template.list()).size() >= Gallery.MAX) {
                throw new RefusedCall(
                        ProblemCode.STATE_FORBIDS,
                        "There are " + Gallery.MAX + " templates already. Delete one first.");
            }
            String etag = stored.map(Versioned::etag).orElse(null);
            Saved<MessageTemplate> saved =
                    list == null ? gallery.save(template, etag) : gallery.save(list, template, etag);
            if (list != null && saved instanceof Saved.Missing && !lists.isStillThere(list)) {
                throw RefusedCall.noList(list.name());
            }
            return saved.done().map(done -> answer(done, stored.isEmpty() ? HttpStatus.CREATED : HttpStatus.OK));
        });
    }

    private static MessageTemplate read(@Nullable ListName owner, String name, NewTemplate wanted) {
        RequestFields fields = new RequestFields();
        Optional<String> known = fields.required(
                "name",
                name,
                typed -> MessageTemplate.name(typed).filter(one -> !Gallery.isShipped(one)),
                "A name has 1 to 40 lower-case letters, digits, - or _, and is not that of a shipped template.");
        Mjml mjml = new Mjml((wanted.mjml() == null ? "" : wanted.mjml()).replace("\r\n", "\n"));
        mjml.fault().ifPresent(fault -> fields.refuse("mjml", fault.words()));
        fields.check();
        return new MessageTemplate(known.orElseThrow(), owner, mjml, false);
    }

    @DeleteMapping("/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(@PathVariable String name, EntityTags tags, @Nullable MailingList list) {
        ListName owner = owner(list);
        ConditionalWrites.retryUntilDone("template " + name, () -> {
            Versioned<MessageTemplate> stored = gallery.stored(owner, name).orElseThrow(() -> unknown(name));
            tags.require(stored.etag());
            return gallery.delete(stored);
        });
    }

    private static ResponseEntity<TemplateBody> answer(Versioned<MessageTemplate> template, HttpStatus status) {
        return ResponseEntity.status(status)
                .eTag(EntityTags.of(template.etag()))
                .body(body(template.value()));
    }

    private static TemplateBody body(MessageTemplate template) {
        return new TemplateBody(
                template.name(), template.shipped(), template.mjml().text());
    }

    private static @Nullable ListName owner(@Nullable MailingList list) {
        return list == null ? null : list.name();
    }

    private static RefusedCall unknown(String name) {
        return RefusedCall.notFound("There is no template " + name + ".");
    }
}
