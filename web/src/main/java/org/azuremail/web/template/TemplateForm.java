package org.azuremail.web.template;

import java.util.Objects;
import org.azuremail.template.TemplateName;
import org.azuremail.template.Templates.Entry;
import org.jspecify.annotations.Nullable;

/**
 * The form as it is typed.
 *
 * @param etag of what was read before
 * @param occasion which of the template's occasions the preview shows
 */
record TemplateForm(
        @Nullable String text,
        @Nullable String etag,
        @Nullable String occasion) {

    static TemplateForm of(Entry entry, @Nullable String occasion) {
        return new TemplateForm(entry.text(), entry.etag(), occasion);
    }

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
