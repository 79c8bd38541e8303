package org.azuremail.outbox;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import org.azuremail.content.Template;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailContent.MailHeader;
import org.azuremail.mail.Mailbox;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The JSON form of a content. A template is a list of its parts: a text is a string, a field an object. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ContentFile(
        String id,
        MailboxJson from,
        @Nullable MailboxJson replyTo,
        List<Object> subject,
        List<Object> html,
        List<Object> text,
        List<Header> headers) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private record Header(String name, List<Object> value) {}

    private record MailboxJson(String address, String name) {

        static MailboxJson of(Mailbox mailbox) {
            return new MailboxJson(mailbox.address().value(), mailbox.name());
        }

        Mailbox mailbox() {
            return new Mailbox(new EmailAddress(address), name);
        }
    }

    static byte[] write(MailContent content) {
        Mailbox replyTo = content.replyTo();
        return JSON.writeValueAsBytes(new ContentFile(
                content.id(),
                MailboxJson.of(content.from()),
                replyTo == null ? null : MailboxJson.of(replyTo),
                parts(content.subject()),
                parts(content.html()),
                parts(content.text()),
                content.headers().stream()
                        .map(header -> new Header(header.name(), parts(header.value())))
                        .toList()));
    }

    private static List<Object> parts(Template template) {
        return template.parts().stream()
                .<Object>map(part -> part instanceof Template.Field field
                        ? Map.of("field", field.name(), "fallback", field.fallback(), "inUrl", field.inUrl())
                        : ((Template.Literal) part).text())
                .toList();
    }

    static MailContent read(byte[] json) {
        ContentFile file = JSON.readValue(json, ContentFile.class);
        return new MailContent(
                file.id,
                file.from.mailbox(),
                file.replyTo == null ? null : file.replyTo.mailbox(),
                template(file.subject),
                template(file.html),
                template(file.text),
                file.headers.stream()
                        .map(header -> new MailHeader(header.name(), template(header.value())))
                        .toList());
    }

    private static Template template(List<Object> stored) {
        return new Template(stored.stream()
                .<Template.Part>map(part -> part instanceof Map<?, ?> field
                        ? new Template.Field(
                                String.valueOf(field.get("field")),
                                String.valueOf(field.get("fallback")),
                                Boolean.TRUE.equals(field.get("inUrl")))
                        : new Template.Literal((String) part))
                .toList());
    }
}
