package org.azuremail.web.template;

import java.util.HashMap;
import java.util.Map;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.content.Escaping;
import org.azuremail.list.MailingList;
import org.azuremail.listmail.ConfirmationMail;
import org.azuremail.listmail.ListIdentity;
import org.azuremail.template.CompiledTemplate;
import org.azuremail.template.TemplateName;
import org.azuremail.template.Templates;
import org.azuremail.web.layout.MailFrame;
import org.azuremail.web.membership.SubscriberViews;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;

/** A template as subscribers see it, with made-up people. */
@Component
record TemplatePreview(Templates templates, SubscriberViews views, AzureMailProperties settings) {

    private static final Map<String, String> SOMEBODY = Map.of(
            "email",
            "al**@*******.org",
            "confirm",
            "#confirm",
            "unsubscribe",
            "#unsubscribe",
            "preferences",
            "#preferences");

    ResponseEntity<String> of(
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
        Templates.Chosen chosen = templates.of(list.name());
        if (name == TemplateName.LAYOUT) {
            TemplateName inside = TemplateName.UNSUBSCRIBE;
            Map<String, Object> sample = new HashMap<>(inside.states().get(0).values());
            sample.put("list", ListIdentity.of(list).title());
            return views.preview(template, list, chosen.get(inside).render(sample));
        }
        return views.preview(chosen.get(TemplateName.LAYOUT), list, template.render(values));
    }

    ResponseEntity<String> refused(String why) {
        return MailFrame.of(plain(why));
    }

    private static String plain(String text) {
        return "<pre style=\"white-space:pre-wrap;font:1rem/1.5 monospace\">" + Escaping.HTML.apply(text) + "</pre>";
    }
}
