package org.azuremail.list;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.IllformedLocaleException;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.zip.CRC32;
import org.azuremail.limit.Limits;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.mailclass.Plan;
import org.jspecify.annotations.Nullable;

/**
 * A mailing list: who sends, under which name, and how one joins.
 *
 * @param description what subscribers read in subjects and on pages; one line, may be empty
 * @param fromName display name of the From address; one line, may be empty
 * @param replyTo where answers go, if not to the From address
 * @param transport name of the transport that is asked first for its mails, if not the usual order
 * @param language in which the list's messages are written, a BCP 47 tag as {@code en}
 * @param shards over how many partitions the subscribers are spread, 1 to 999; fixed at creation
 * @param attributes names of what is known about subscribers beside address and name; lower-case letters, digits,
 *     {@code _} and {@code -}
 * @param plan decides the class of its messages; {@code null} for the default class, as lists of older versions have
 * @param limits the most emails of messages that it gets in any minute and hour, beside the limits of the transports
 * @param brand how it looks to its subscribers
 * @param welcome whether people who subscribe or confirm get a welcome email
 * @param deleting the list is being deleted: it takes no subscriber and no message any more, its rows go, its name last
 */
public record MailingList(
        ListName name,
        String description,
        EmailAddress fromEmail,
        String fromName,
        @Nullable EmailAddress replyTo,
        @Nullable String transport,
        String language,
        OptIn optIn,
        int shards,
        SortedSet<String> attributes,
        Instant createdAt,
        @Nullable Plan plan,
        Limits limits,
        Brand brand,
        boolean welcome,
        boolean deleting) {

    public static final int DEFAULT_SHARDS = 16;
    public static final String DEFAULT_LANGUAGE = "en";

    /** The longest description and display name, in characters. */
    public static final int MAX_LINE = 200;

    public static final int MAX_ATTRIBUTES = 50;

    private static final int LONGEST_ATTRIBUTE = 64;

    public MailingList {
        requireLine(description, "the description");
        requireLine(fromName, "the sender's name");
        requireLine(language, "the language");
        if (shards < 1 || shards > 999) {
            throw new IllegalArgumentException("a list has 1 to 999 shards");
        }
        if (attributes.size() > MAX_ATTRIBUTES) {
            throw new IllegalArgumentException("a list has at most " + MAX_ATTRIBUTES + " attributes");
        }
        if (limits.perSecond() > 0 || limits.perDay() > 0) {
            throw new IllegalArgumentException("a list has limits a minute and an hour only");
        }
        attributes.forEach(MailingList::requireAttribute);
        createdAt = createdAt.truncatedTo(ChronoUnit.MICROS);
        attributes = Collections.unmodifiableSortedSet(new TreeSet<>(attributes));
    }

    /** Returns its description and name, for people who choose among lists. */
    public String title() {
        return description.isBlank() ? name.value() : description.strip() + " (" + name + ")";
    }

    /** A new list with what callers seldom choose left at its default. */
    public static MailingList of(ListName name, String description, Mailbox from, OptIn optIn, Instant createdAt) {
        return new MailingList(
                name,
                description,
                from.address(),
                from.name(),
                null,
                null,
                DEFAULT_LANGUAGE,
                optIn,
                DEFAULT_SHARDS,
                Collections.emptySortedSet(),
                createdAt,
                null,
                Limits.NONE,
                Brand.NONE,
                false,
                false);
    }

    /** Returns whether a text is one line without control characters and short enough for a header. */
    public static boolean isLine(String text) {
        return text.length() <= MAX_LINE && text.indexOf('\n') < 0 && text.indexOf('\t') < 0 && isText(text);
    }

    /** Returns whether a text can be stored and shown: no control characters but line breaks and tabs, no half characters. */
    public static boolean isText(String text) {
        return isPlain(text)
                || text.codePoints()
                        .noneMatch(c -> (Character.isISOControl(c) && c != '\n' && c != '\t')
                                || Character.getType(c) == Character.SURROGATE);
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a text can name an attribute: 1 to 64 lower-case letters of ASCII, digits, {@code _} and {@code -}. */
    public static boolean isAttribute(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '_' && c != '-') {
                return false;
            }
        }
        return !name.isEmpty() && name.length() <= LONGEST_ATTRIBUTE;
    }

    /** A language as people type it, a BCP 47 tag, in its usual spelling; a blank one is the default. */
    public static Optional<String> language(String typed) {
        try {
            String tag =
                    new Locale.Builder().setLanguageTag(typed.strip()).build().toLanguageTag();
            return Optional.of(typed.isBlank() ? DEFAULT_LANGUAGE : tag);
        } catch (IllformedLocaleException notOne) {
            return Optional.empty();
        }
    }

    public Mailbox from() {
        return new Mailbox(fromEmail, fromName);
    }

    /** The shard that holds an address, whether it is subscribed or not. */
    public int shardOf(EmailAddress address) {
        return shardOf(address, shards);
    }

    /** The shard that holds an address on every list of so many shards. */
    public static int shardOf(EmailAddress address, int shards) {
        CRC32 crc = new CRC32();
        crc.update(address.folded().getBytes(StandardCharsets.UTF_8));
        return (int) (crc.getValue() % shards);
    }

    public MailingList withAttributes(SortedSet<String> names) {
        return with(names, brand, deleting);
    }

    public MailingList withBrand(Brand other) {
        return with(attributes, other, deleting);
    }

    public MailingList markedDeleting() {
        return with(attributes, brand, true);
    }

    private MailingList with(SortedSet<String> newAttributes, Brand newBrand, boolean newDeleting) {
        return new MailingList(
                name,
                description,
                fromEmail,
                fromName,
                replyTo,
                transport,
                language,
                optIn,
                shards,
                newAttributes,
                createdAt,
                plan,
                limits,
                newBrand,
                welcome,
                newDeleting);
    }

    private static void requireLine(String text, String what) {
        if (!isLine(text)) {
            throw new IllegalArgumentException(
                    what + " is one line of at most " + MAX_LINE + " characters without control characters");
        }
    }

    private static void requireAttribute(String name) {
        if (!isAttribute(name)) {
            throw new IllegalArgumentException("an attribute's name has lower-case letters, digits, _ and -");
        }
    }
}
