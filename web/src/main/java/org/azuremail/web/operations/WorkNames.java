package org.azuremail.web.operations;

import java.util.Locale;
import java.util.Objects;
import org.springframework.context.MessageSource;
import org.springframework.stereotype.Component;

/** The names of queues and scheduled services on pages. */
@Component
record WorkNames(MessageSource texts) {

    /** The purpose of a queue; empty when it has no text. */
    String queue(String name) {
        String whole = text("queue." + name);
        int dash = name.indexOf('-');
        if (!whole.isEmpty() || dash < 0) {
            return whole;
        }
        String base = text("queue." + name.substring(0, dash));
        return base.isEmpty() ? "" : base + ", " + name.substring(dash + 1);
    }

    /** The purpose of a scheduled service; empty when it has no text. */
    String service(String name) {
        return text("service." + name);
    }

    /** Either, with the name in brackets, as the tables have it. */
    String called(String name) {
        String label = queue(name).isEmpty() ? service(name) : queue(name);
        return label.isEmpty() ? name : label + " (" + name + ")";
    }

    private String text(String code) {
        return Objects.requireNonNullElse(texts.getMessage(code, null, "", Locale.ROOT), "");
    }
}
