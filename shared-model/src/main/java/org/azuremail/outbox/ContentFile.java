package org.azuremail.outbox;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.azuremail.content.Template;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailHeader;
import org.azuremail.mail.Mailbox;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A content as JSON: a template is a list in which a text stands for itself and an object for a field. */
final class ContentFile {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private ContentFile() {}

    static byte[] write(MailContent content) {
        Map<String, Object> file = new LinkedHashMap<>();
        file.put("id", content.id());
        file.put("from", mailbox(content.from()));
        Mailbox replyTo = content.replyTo();
        if (replyTo != null) {
            file.put("replyTo", mailbox(replyTo));
        }
        file.put("subject", parts(content.subject()));
        file.put("html", parts(content.html()));
        file.put("text", parts(content.text()));
        file.put(
                "headers",
                content.headers().stream()
                        .map(header -> Map.of("name", header.name(), "value", parts(header.value())))
                        .toList());
        return JSON.writeValueAsBytes(file);
    }

    private static Map<String, String> mailbox(Mailbox mailbox) {
        return Map.of("address", mailbox.address().value(), "name", mailbox.name());
    }

    private static List<Object> parts(Template template) {
        List<Object> parts = new ArrayList<>();
        for (Template.Part part : template.parts()) {
            if (part instanceof Template.Literal literal) {
                parts.add(literal.text());
            } else if (part instanceof Template.Field field) {
                parts.add(Map.of("field", field.name(), "fallback", field.fallback()));
            }
        }
        return parts;
    }

    static MailContent read(byte[] file) {
        JsonNode content = JSON.readTree(file);
        List<MailHeader> headers = new ArrayList<>();
        for (JsonNode header : content.get("headers")) {
            headers.add(new MailHeader(header.get("name").asString(), template(header.get("value"))));
        }
        return new MailContent(
                content.get("id").asString(),
                mailbox(content.get("from")),
                replyTo(content.get("replyTo")),
                template(content.get("subject")),
                template(content.get("html")),
                template(content.get("text")),
                headers);
    }

    private static @Nullable Mailbox replyTo(@Nullable JsonNode node) {
        return node == null ? null : mailbox(node);
    }

    private static Mailbox mailbox(JsonNode node) {
        return new Mailbox(
                new EmailAddress(node.get("address").asString()),
                node.get("name").asString());
    }

    private static Template template(JsonNode node) {
        List<Template.Part> parts = new ArrayList<>();
        for (JsonNode part : node) {
            parts.add(
                    part.isString()
                            ? new Template.Literal(part.asString())
                            : new Template.Field(
                                    part.get("field").asString(),
                                    part.get("fallback").asString()));
        }
        return new Template(parts);
    }
}
