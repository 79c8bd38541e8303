package org.azuremail.web.gallery;

import java.util.Optional;
import org.azuremail.gallery.Gallery;
import org.azuremail.gallery.Gallery.MessageTemplate;
import org.azuremail.gallery.Mjml;
import org.azuremail.list.ListName;
import org.jspecify.annotations.Nullable;
import org.springframework.validation.Errors;

/**
 * A template as it is typed.
 *
 * @param list whose own it is; empty for one that all lists may use
 */
record GalleryForm(
        @Nullable String name,
        @Nullable String list,
        @Nullable String mjml) {

    Optional<ListName> owner() {
        return ListName.parse(text(list));
    }

    Mjml typed() {
        return new Mjml(text(mjml).replace("\r\n", "\n"));
    }

    /** The template that was typed, or empty with what is wrong beside its field. */
    Optional<MessageTemplate> read(Errors errors) {
        Optional<String> parsed = MessageTemplate.name(text(name));
        if (parsed.isEmpty()) {
            errors.rejectValue("name", "error.gallery.name");
        } else if (Gallery.isShipped(parsed.get())) {
            errors.rejectValue("name", "error.gallery.name-shipped");
        }
        typed().fault()
                .ifPresent(fault -> errors.rejectValue(
                        "mjml", "reason." + fault.code(), fault.values().toArray(), null));
        return errors.hasErrors()
                ? Optional.empty()
                : parsed.map(known -> new MessageTemplate(known, owner().orElse(null), typed(), false));
    }

    private static String text(@Nullable String typed) {
        return typed == null ? "" : typed;
    }
}
