package org.azuremail.listmail;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.commons.codec.digest.DigestUtils;
import org.azuremail.content.Escaping;
import org.azuremail.content.Template;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailContent.MailHeader;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.mime.EncodedWords;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.template.Templates;

/** The emails of a message to a list: the content that they share, and the part that depends on the recipient. */
public final class ListMail {

    /** The name of the field with an email's handle; attributes cannot have this name. */
    public static final String HANDLE = "!handle";

    private static final int MAX_PHRASE_LENGTH = 600;
    private static final String UNSUBSCRIBE = "List-Unsubscribe";
    private static final String LONG_NAME = "Maximiliane-Alexandrina Featherstonehaugh-Hohenstaufen-Wolfenbüttel";

    /** The part of the Message-ID before the {@code @}, for the emails of a message. */
    public static final String MESSAGE_ID = "[0-9a-f]{32}\\.\\d{1,18}";

    private ListMail() {}

    /**
     * Returns the content that all emails of a message share. A body without {@code {{unsubscribe}}} gets an
     * unsubscribe line.
     *
     * @param contentId the id of the message and its revision
     * @param html HTML that {@code MessageBodies} has accepted
     * @param templates the list's templates, with its frame
     */
    public static MailContent content(
            String contentId,
            ListIdentity list,
            String subject,
            String html,
            String text,
            URI publicUrl,
            Templates.TemplateSet templates) {
        Template framedHtml = ListFrame.inHtml(html, list, templates);
        Template framedText = ListFrame.inText(text, list, templates);
        String id = contentId + "-" + fingerprint(list, subject, framedHtml, framedText, publicUrl);
        return new MailContent(
                id,
                list.from(),
                list.replyTo(),
                Template.parse(subject),
                framedHtml,
                framedText,
                headers(contentId, list, publicUrl));
    }

    /**
     * Returns the email to one recipient.
     *
     * @param messageKey the MessageRef of the message
     * @param attributes by lower-case name; they never hide {@code name}, {@code email}, {@code list},
     *     {@code list-address}, {@code unsubscribe} and {@code preferences}
     */
    public static Mail mail(
            ListIdentity list,
            URI publicUrl,
            String messageKey,
            EmailAddress to,
            String name,
            SubscriberGuid guid,
            Map<String, String> attributes) {
        Map<String, String> fields = new HashMap<>(attributes);
        fields.put("name", name);
        fields.put("email", to.value());
        fields.put("list", list.title());
        fields.put("list-address", list.address());
        fields.put("unsubscribe", Links.unsubscribe(publicUrl, guid, list.name()));
        fields.put("preferences", Links.preferences(publicUrl, guid, list.name()));
        Mailbox displayed = new Mailbox(to, Escaping.ONE_LINE.apply(name).strip());
        return new Mail(displayed, messageId(list, messageKey, to, guid), fields);
    }

    /**
     * Returns the content with an address beside the link in List-Unsubscribe (RFC 2369). The address contains the
     * field {@value #HANDLE}. Even with the longest addresses and links, the line has fewer than 998 characters.
     *
     * @param address an address in which {@code *} marks the place of the field
     */
    public static MailContent withMailtoUnsubscribe(MailContent content, String address) {
        String[] around = address.split("\\*", 2);
        Template value = new Template(List.of(
                new Template.Literal("<mailto:" + around[0]),
                new Template.Field(HANDLE, "test"),
                new Template.Literal(around[1] + "?subject=unsubscribe>, <"),
                new Template.Field("unsubscribe", ""),
                new Template.Literal(">")));
        return content.with(
                content.id() + "-" + fingerprint(address),
                content.subject(),
                content.headers().stream()
                        .map(header -> header.name().equals(UNSUBSCRIBE) ? new MailHeader(UNSUBSCRIBE, value) : header)
                        .toList());
    }

    /**
     * Returns the content of a test email, which recipients cannot mistake for the message, and which filters find by
     * its header.
     */
    public static MailContent test(MailContent content) {
        List<Template.Part> subject = new ArrayList<>(List.of(new Template.Literal("[Test] ")));
        subject.addAll(content.subject().parts());
        List<MailHeader> headers = new ArrayList<>(content.headers());
        headers.add(literal("X-AzureMail-Test", "yes"));
        return content.with(content.id() + "-test", new Template(subject), headers);
    }

    /**
     * Returns an email with sample values, for a preview or a test email. Its unsubscribe link opens a page that
     * explains this.
     */
    public static Mail sample(
            ListIdentity list, URI publicUrl, String messageKey, EmailAddress to, Collection<String> attributeNames) {
        Map<String, String> attributes = new HashMap<>();
        attributeNames.forEach(attribute -> attributes.put(attribute, "Sample " + attribute.replace('_', ' ')));
        return mail(list, publicUrl, messageKey, to, "Alex Sample", SubscriberGuid.NOBODY, attributes);
    }

    /** Returns a sample for a person with a very long name and very long values, which a layout must have room for. */
    public static Mail sampleWithLongValues(
            ListIdentity list, URI publicUrl, String messageKey, EmailAddress to, Collection<String> attributeNames) {
        Map<String, String> attributes = new HashMap<>();
        attributeNames.forEach(
                attribute -> attributes.put(attribute, String.join(" ", Collections.nCopies(8, attribute))));
        return mail(list, publicUrl, messageKey, to, LONG_NAME, SubscriberGuid.NOBODY, attributes);
    }

    /** Returns a sample for a person of whom only the address is known, to show the fallbacks of empty fields. */
    public static Mail sampleWithoutValues(ListIdentity list, URI publicUrl, String messageKey, EmailAddress to) {
        return mail(list, publicUrl, messageKey, to, "", SubscriberGuid.NOBODY, Map.of());
    }

    static String messageId(ListIdentity list, String messageKey, EmailAddress to, SubscriberGuid guid) {
        return messageIdName(list.name(), messageKey, to, guid) + "@"
                + list.from().address().domain();
    }

    /**
     * Returns the part before the {@code @}. It is always the same for an email, so an email that is handed over again
     * is recognised. It does not reveal the address, and only a person who has the email can know it. The message's key
     * lets a bounce find its message.
     */
    public static String messageIdName(ListName list, String messageKey, EmailAddress to, SubscriberGuid guid) {
        return fingerprint(list, messageKey, to.folded(), guid) + "." + messageKey;
    }

    static List<MailHeader> headers(String contentId, ListIdentity list, URI publicUrl) {
        return List.of(
                literal("List-Id", listId(list, publicUrl)),
                new MailHeader(UNSUBSCRIBE, Template.parse("<{{unsubscribe}}>")),
                literal("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
                literal("Precedence", "bulk"),
                literal("Content-Language", list.language()),
                literal(
                        "Feedback-ID",
                        contentId.replaceAll("[^A-Za-z0-9._-]", "-") + ":" + list.name() + ":list:azuremail"));
    }

    /**
     * Returns the List-Id (RFC 2919): a phrase and a name in the form of a host name, which must not change with the
     * description. The phrase is left out if the line would be too long for a provider that does not fold it.
     */
    private static String listId(ListIdentity list, URI publicUrl) {
        String phrase = EncodedWords.phrase(list.title());
        return (phrase.length() > MAX_PHRASE_LENGTH ? "<" : phrase + " <") + list.name() + "."
                + host(publicUrl).replaceAll("[^A-Za-z0-9.-]", "") + ">";
    }

    /** Returns the host. Java finds none in a name with {@code _}, as containers have. */
    private static String host(URI url) {
        return url.getHost() == null ? url.getRawAuthority().replaceAll(":\\d+$", "") : url.getHost();
    }

    static MailHeader literal(String name, String value) {
        return new MailHeader(name, Template.literal(value));
    }

    /**
     * Returns a short name for texts that cannot be derived from it: 32 hexadecimal digits. The same texts in another
     * order, or divided differently, give another name.
     */
    static String fingerprint(Object... texts) {
        MessageDigest digest = DigestUtils.getSha256Digest();
        for (Object text : texts) {
            byte[] bytes = String.valueOf(text).getBytes(StandardCharsets.UTF_8);
            digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
            digest.update(bytes);
        }
        return HexFormat.of().formatHex(digest.digest(), 0, 16);
    }
}
