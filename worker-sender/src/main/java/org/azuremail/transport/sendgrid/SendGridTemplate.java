package org.azuremail.transport.sendgrid;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.azuremail.content.Escaping;
import org.azuremail.content.Template;
import org.azuremail.feedback.SendGridEventReader;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailContent.MailHeader;
import org.azuremail.mail.Mailbox;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.SerializedString;
import tools.jackson.core.json.JsonFactory;

/**
 * A content in SendGrid's form: fields of the bodies become tags, and each recipient has the values for them.
 * Hand-written for speed: decision 0021. Immutable.
 */
final class SendGridTemplate {

    /** The size that SendGrid allows a recipient's substitutions, less some room for how it counts. */
    private static final int MAX_SUBSTITUTIONS = 9_500;

    private static final JsonFactory JSON = new JsonFactory();

    private record Tag(Template.Field field, Escaping escaping) {}

    /**
     * A header whose JSON is escaped only once.
     *
     * @param constant the value; {@code null} if it depends on the recipient
     */
    private record Header(
            SerializableString name,
            Template value,
            @Nullable SerializableString constant) {

        static Header of(MailHeader header) {
            boolean same = header.value().fieldNames().isEmpty();
            return new Header(
                    new SerializedString(header.name()),
                    header.value(),
                    same ? new SerializedString(header.value().merge(Map.of(), Escaping.ONE_LINE)) : null);
        }
    }

    private final MailContent content;
    private final List<Header> headers;
    private final Map<Tag, SerializableString> tags = new LinkedHashMap<>();
    private final String nonce;
    private final String shared;

    /** @param nonce a secret, so that no value can contain a tag */
    SendGridTemplate(MailContent content, String nonce) {
        this.content = content;
        this.headers = content.headers().stream().map(Header::of).toList();
        this.nonce = nonce;
        this.shared = shared(tagged(content.text(), Escaping.NONE), tagged(content.html(), Escaping.HTML));
    }

    private String tagged(Template template, Escaping escaping) {
        StringBuilder text = new StringBuilder();
        for (Template.Part part : template.parts()) {
            if (part instanceof Template.Literal literal) {
                text.append(literal.text());
            } else if (part instanceof Template.Field field) {
                Tag tag = new Tag(field, field.escaping(escaping));
                text.append(
                        tags.computeIfAbsent(tag, added -> new SerializedString("%" + nonce + "x" + tags.size() + "%"))
                                .getValue());
            }
        }
        return text.toString();
    }

    /**
     * An email, ready for the request.
     *
     * @param values the values of the tags, in their order
     */
    record Filled(Mail mail, List<String> values) {}

    Filled fill(Mail mail) {
        List<String> values = new ArrayList<>(tags.size());
        for (Tag tag : tags.keySet()) {
            values.add(tag.escaping().apply(Template.value(tag.field(), mail.fields())));
        }
        return new Filled(mail, values);
    }

    /** Returns one request for emails that all {@link #fits}. */
    String request(List<Filled> mails) {
        return request(mails, shared);
    }

    /**
     * Returns a request for one email whose values are too large to be substituted, so that its bodies contain them.
     */
    String requestOfItsOwn(Mail mail) {
        String text = content.text().merge(mail.fields(), Escaping.NONE);
        String html = content.html().merge(mail.fields(), Escaping.HTML);
        return request(List.of(new Filled(mail, List.of())), shared(text, html));
    }

    private String request(List<Filled> mails, String rest) {
        StringWriter json = new StringWriter();
        json.append("{\"personalizations\":");
        try (JsonGenerator out = JSON.createGenerator(ObjectWriteContext.empty(), json)) {
            out.writeStartArray();
            for (Filled filled : mails) {
                personalization(out, filled.mail(), filled.values());
            }
            out.writeEndArray();
        }
        return json.append(rest).toString();
    }

    /** Returns whether SendGrid takes the email's values as substitutions. */
    boolean fits(Filled filled) {
        long bytes = 0;
        for (SerializableString name : tags.values()) {
            bytes += name.charLength();
        }
        long max = bytes;
        for (String value : filled.values()) {
            max += 3L * value.length();
        }
        return max <= MAX_SUBSTITUTIONS || bytes + exactSize(filled.values()) <= MAX_SUBSTITUTIONS;
    }

    private static long exactSize(List<String> values) {
        return values.stream()
                .mapToLong(value -> value.getBytes(StandardCharsets.UTF_8).length)
                .sum();
    }

    /** @param values of all tags, or none if the email's own bodies contain them */
    private void personalization(JsonGenerator out, Mail mail, List<String> values) {
        out.writeStartObject();
        out.writeName("to").writeStartArray();
        mailbox(out, mail.to());
        out.writeEndArray();
        out.writeStringProperty("subject", content.subject(mail.fields()));
        out.writeName("headers").writeStartObject();
        out.writeStringProperty("Message-ID", "<" + mail.messageId() + ">");
        for (Header header : headers) {
            out.writeName(header.name());
            if (header.constant() != null) {
                out.writeString(header.constant());
            } else {
                out.writeString(header.value().merge(mail.fields(), Escaping.ONE_LINE));
            }
        }
        out.writeEndObject();
        if (mail.handle() != null) {
            out.writeName("custom_args").writeStartObject();
            out.writeStringProperty(SendGridEventReader.HANDLE, mail.handle());
            out.writeEndObject();
        }
        if (!values.isEmpty()) {
            out.writeName("substitutions").writeStartObject();
            int next = 0;
            for (SerializableString name : tags.values()) {
                out.writeName(name).writeString(values.get(next++));
            }
            out.writeEndObject();
        }
        out.writeEndObject();
    }

    /**
     * Returns the part of the request after the recipients. The email contains this service's unsubscribe link, so
     * SendGrid adds none. SendGrid rejects the request if Reply-To has letters outside ASCII.
     */
    private String shared(String text, String html) {
        StringWriter json = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(ObjectWriteContext.empty(), json)) {
            out.writeStartObject();
            out.writeName("from");
            mailbox(out, content.from());
            Mailbox replyTo = content.replyTo();
            if (replyTo != null && !replyTo.address().needsSmtpUtf8()) {
                out.writeName("reply_to");
                mailbox(out, replyTo);
            }
            out.writeStringProperty("subject", content.subject(Map.of()));
            out.writeName("content").writeStartArray();
            body(out, "text/plain", text);
            body(out, "text/html", html);
            out.writeEndArray();
            out.writeName("tracking_settings").writeStartObject();
            out.writeName("subscription_tracking").writeStartObject().writeBooleanProperty("enable", false);
            out.writeEndObject().writeEndObject().writeEndObject();
        }
        return "," + json.toString().substring(1);
    }

    private static void body(JsonGenerator out, String type, String value) {
        out.writeStartObject();
        out.writeStringProperty("type", type);
        out.writeStringProperty("value", value);
        out.writeEndObject();
    }

    private static void mailbox(JsonGenerator out, Mailbox mailbox) {
        out.writeStartObject();
        out.writeStringProperty("email", mailbox.address().value());
        if (!mailbox.name().isBlank()) {
            out.writeStringProperty("name", mailbox.name());
        }
        out.writeEndObject();
    }
}
