package org.azuremail.list;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.IllformedLocaleException;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.azuremail.limit.Limits;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.mailclass.Plan;
import org.jspecify.annotations.Nullable;

/**
 * A mailing list: its sender, its look, and the way to join.
 *
 * @param description what subscribers read in subjects and on pages; one line, may be empty
 * @param fromName display name of the From address; one line, may be empty
 * @param replyTo the address for replies, if it is not the From address
 * @param transport the name of the preferred transport for its emails; without one, the usual order applies
 * @param language the language of the list's messages, a BCP 47 tag such as {@code en}
 * @param shards the number of partitions of its subscribers, 1 to 999; fixed at creation
 * @param attributes names of the data about subscribers besides address and name; lower-case letters, digits, {@code _}
 *     and {@code -}
 * @param plan decides the class of its messages; {@code null} for the default class, as in lists of older versions
 * @param limits the most emails of its messages in any minute and hour, besides the limits of the transports
 * @param brand its look to its subscribers
 * @param welcome whether people who subscribe or confirm get a welcome email
 * @param deleting whether the list is being deleted: it accepts no subscribers or messages, its rows are being removed,
 *     and its name is freed last
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

    private static final int MAX_ATTRIBUTE_LENGTH = 64;

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

    /** Returns the description and the name, for people who choose among lists. */
    public String title() {
        return description.isBlank() ? name.value() : description.strip() + " (" + name + ")";
    }

    /** Creates a list with defaults for the settings that callers seldom choose. */
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

    /**
     * Returns whether a text can be stored and shown: it has no control characters except line breaks and tabs, and no
     * unpaired surrogates.
     */
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

    /**
     * Returns whether a text can name an attribute: 1 to 64 lower-case letters of ASCII, digits, {@code _} and {@code
     * -}.
     */
    public static boolean isAttribute(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '_' && c != '-') {
                return false;
            }
        }
        return !name.isEmpty() && name.length() <= MAX_ATTRIBUTE_LENGTH;
    }

    /** Returns a typed language, a BCP 47 tag, in its usual spelling; the default for a blank text. */
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

    /** Returns the shard for an address, whether or not it is subscribed. */
    public int shardOf(EmailAddress address) {
        return shardOf(address.folded(), shards);
    }

    /** Returns the shard for an address on lists with this number of shards. */
    public static int shardOf(String foldedAddress, int shards) {
        CRC32 crc = new CRC32();
        crc.update(foldedAddress.getBytes(StandardCharsets.UTF_8));
        return (int) (crc.getValue() % shards);
    }

    /**
     * Returns the partitions, out of a number by which addresses are distributed like over shards, that can contain
     * addresses of a shard. Both numbers are remainders of the same hash: of 16 partitions, each of 16 shards has one;
     * with 7 shards, each may have addresses in all of them.
     */
    public static IntStream partitionsOf(int shard, int shards, int partitions) {
        int common =
                BigInteger.valueOf(shards).gcd(BigInteger.valueOf(partitions)).intValue();
        return IntStream.range(0, partitions).filter(partition -> (partition - shard) % common == 0);
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
