package org.azuremail.web.gallery;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.content.Escaping;
import org.azuremail.content.Layout;
import org.azuremail.content.MessageBodies;
import org.azuremail.content.MessageBodies.Checked;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.gallery.Mjml;
import org.azuremail.gallery.Mjml.TemplateValues;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.reason.Reason;
import org.azuremail.time.Time;
import org.azuremail.web.message.Preview;
import org.springframework.context.support.MessageSourceAccessor;
import org.springframework.stereotype.Component;

/** Renders a template with a sample message in it. */
@Component
record GalleryPreview(
        MessageBodies bodies,
        Preview preview,
        ListStore lists,
        AzureMailProperties settings,
        MessageSourceAccessor texts,
        Time time) {

    static final List<String> FIELDS = List.of(
            "content",
            "logo",
            "color",
            "text-color",
            "preview",
            "list",
            "list-address",
            "unsubscribe",
            "name",
            "email");

    /** @param owner the list whose look the preview has; if empty, the preview has the look of a fictitious list */
    String html(Mjml mjml, Optional<ListName> owner) {
        MailingList list = owner.flatMap(lists::findActive).orElseGet(this::madeUp);
        URI publicUrl = settings.publicUrl();
        Draft sample = new Draft(
                texts.getMessage("gallery.sample.subject"),
                new byte[0],
                null,
                texts.getMessage("gallery.sample"),
                Layout.LETTER);
        Checked checked = bodies.checkUnfinished(
                sample, mjml.in(TemplateValues.of(list, texts.getMessage("gallery.sample.preview"), publicUrl)));
        return checked instanceof Checked.Valid valid
                ? preview.madeUp(list, valid).html()
                : "";
    }

    String refused(Reason fault) {
        return "<p style=\"font-family:sans-serif\">" + Escaping.HTML.apply(fault.words()) + "</p>";
    }

    private MailingList madeUp() {
        Mailbox from = new Mailbox(new EmailAddress("news@example.org"), "");
        MailingList list = MailingList.of(
                new ListName("sample"), texts.getMessage("gallery.sample.list"), from, OptIn.DOUBLE, time.instant());
        return list.withBrand(list.brand().withAddress(texts.getMessage("gallery.sample.address")));
    }
}
