package org.azuremail.web.membership;

import java.util.HashMap;
import java.util.Map;
import org.azuremail.list.MailingList;
import org.azuremail.storage.StorageException;
import org.azuremail.template.CompiledTemplate;
import org.azuremail.template.TemplateName;
import org.azuremail.template.Templates;
import org.azuremail.web.security.PageHeaders;
import org.jsoup.parser.Parser;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.resource.ResourceUrlProvider;

/** Renders the pages that subscribers see, from the templates of their list and inside its layout. */
@Component
public record SubscriberViews(Templates templates, ResourceUrlProvider files) {

    private static final Logger LOG = LoggerFactory.getLogger(SubscriberViews.class);
    private static final MediaType HTML = MediaType.parseMediaType("text/html;charset=UTF-8");
    private static final String STYLE_SHEET = "/css/subscriber.css";

    /**
     * The content of a page.
     *
     * @param list the list whose templates and look the page has; {@code null} if it is unknown
     * @param values the values besides those of the list
     */
    record Content(TemplateName template, @Nullable MailingList list, Map<String, Object> values) {

        static Content of(TemplateName template, String occasion) {
            return new Content(template, null, Map.of(occasion, "yes"));
        }

        Content on(@Nullable MailingList other) {
            return new Content(template, other, values);
        }

        /** Returns a copy with this value, or the same content for {@code null}. */
        Content with(String name, @Nullable Object value) {
            if (value == null) {
                return this;
            }
            Map<String, Object> more = new HashMap<>(values);
            more.put(name, value);
            return new Content(template, list, more);
        }

        /** Returns a copy with the values that the page's forms send back. */
        Content with(EmailLink link) {
            return with("id", link.id()).with("list-name", link.listName());
        }
    }

    ResponseEntity<String> show(Content content) {
        return show(content, HttpStatus.OK);
    }

    /** Returns the page that says that the storage is unavailable. */
    ResponseEntity<String> unavailable(StorageException failure) {
        LOG.warn("page failed: {}", failure.getMessage());
        return show(Content.of(TemplateName.ERROR, "unavailable"), HttpStatus.SERVICE_UNAVAILABLE);
    }

    private ResponseEntity<String> show(Content content, HttpStatus status) {
        MailingList list = content.list();
        Templates.TemplateSet chosen = templates.of(list == null ? null : list.name());
        Map<String, Object> values = new HashMap<>(content.values());
        if (list != null) {
            values.put("list", list.description().isBlank() ? list.name().value() : list.description());
        }
        CompiledTemplate layout = chosen.get(TemplateName.LAYOUT);
        String page = chosen.get(content.template()).render(values);
        return ResponseEntity.status(status)
                .contentType(HTML)
                .header("Content-Security-Policy", PageHeaders.ofSubscribers(layout.styles(), false))
                .header("X-Frame-Options", "DENY")
                .body(layout.render(frame(list, page), page));
    }

    /**
     * Returns the preview of a page, to be shown in a frame of the service. No form in it can be sent.
     *
     * @param page the content of the layout
     */
    public ResponseEntity<String> preview(CompiledTemplate layout, MailingList list, String page) {
        return ResponseEntity.ok()
                .contentType(HTML)
                .header("Content-Security-Policy", PageHeaders.ofSubscribers(layout.styles(), true))
                .body(layout.render(frame(list, page), page));
    }

    private Map<String, Object> frame(@Nullable MailingList list, String page) {
        Map<String, Object> values = new HashMap<>();
        String versioned = files.getForLookupPath(STYLE_SHEET);
        values.put("stylesheet", versioned == null ? STYLE_SHEET : versioned);
        values.put("title", heading(page));
        if (list != null) {
            String color = list.brand().color();
            values.put("list", list.description().isBlank() ? list.name().value() : list.description());
            values.put(
                    "logo",
                    list.brand().logo() == null ? "" : "/logo/" + list.brand().logo());
            values.put("look", color == null ? "" : "/look/" + color.substring(1) + ".css");
        }
        return values;
    }

    /** Returns the text of the first heading, which is the title of the window. */
    private static String heading(String page) {
        int start = page.indexOf('>', page.indexOf("<h1"));
        int end = page.indexOf("</h1", start);
        String inside = start < 0 || end < 0 || !page.contains("<h1") ? "" : page.substring(start + 1, end);
        return Parser.unescapeEntities(inside.replaceAll("<[^<>]*>", ""), false).strip();
    }
}
