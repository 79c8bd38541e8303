package org.azuremail.transport.sendgrid;

import jakarta.mail.internet.MimeUtility;
import java.io.UnsupportedEncodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.transport.ReceivedMail;
import tools.jackson.databind.JsonNode;

/** Builds the emails that SendGrid would send for a request, by SendGrid's own rules. */
final class SendGridMails {

    private static final Set<String> FORBIDDEN = Set.of(
            "content-type",
            "content-transfer-encoding",
            "to",
            "from",
            "subject",
            "reply-to",
            "cc",
            "bcc",
            "dkim-signature",
            "received");

    private SendGridMails() {}

    static ReceivedMail read(JsonNode request, JsonNode personalization) {
        Map<String, String> substitutions = substitutions(personalization);
        Map<String, String> parts = new LinkedHashMap<>();
        for (JsonNode part : request.get("content")) {
            parts.put(part.get("type").asString(), substituted(part.get("value").asString(), substitutions));
        }
        String subject = personalization.has("subject")
                ? personalization.get("subject").asString()
                : request.get("subject").asString();
        return new ReceivedMail(
                mailbox(request.get("from")),
                request.has("reply_to") ? mailbox(request.get("reply_to")) : null,
                mailbox(personalization.get("to").get(0)),
                oneLine(substituted(subject, substitutions)),
                parts,
                headers(personalization));
    }

    private static Map<String, String> substitutions(JsonNode personalization) {
        Map<String, String> substitutions = new LinkedHashMap<>();
        int bytes = 0;
        if (personalization.has("substitutions")) {
            for (Map.Entry<String, JsonNode> entry :
                    personalization.get("substitutions").properties()) {
                substitutions.put(entry.getKey(), entry.getValue().asString());
                bytes += entry.getKey().length() + entry.getValue().asString().getBytes(StandardCharsets.UTF_8).length;
            }
        }
        require(bytes <= 10_000, "substitutions have " + bytes + " bytes");
        return substitutions;
    }

    private static String substituted(String text, Map<String, String> substitutions) {
        String result = text;
        for (Map.Entry<String, String> substitution : substitutions.entrySet()) {
            result = result.replace(substitution.getKey(), substitution.getValue());
        }
        return result;
    }

    private static Map<String, String> headers(JsonNode personalization) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (Map.Entry<String, JsonNode> header : personalization.get("headers").properties()) {
            String value = oneLine(header.getValue().asString());
            require(!FORBIDDEN.contains(header.getKey().toLowerCase(java.util.Locale.ROOT)), "header " + header);
            require(value.chars().allMatch(c -> c < 128), "header outside ASCII: " + value);
            headers.put(header.getKey(), decoded(value));
        }
        return headers;
    }

    private static String decoded(String value) {
        try {
            return MimeUtility.decodeText(value);
        } catch (UnsupportedEncodingException e) {
            throw new AssertionError(e);
        }
    }

    private static String oneLine(String value) {
        require(value.indexOf('\r') < 0 && value.indexOf('\n') < 0, "line break in: " + value);
        return value;
    }

    private static Mailbox mailbox(JsonNode node) {
        return new Mailbox(
                new EmailAddress(node.get("email").asString()),
                node.has("name") ? oneLine(node.get("name").asString()) : "");
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }
}
