package org.azuremail.mail;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How mail leaves: by one transport ({@code transport} and the rates), or by several with names ({@code transports} and
 * {@code order}), never both.
 *
 * @param transport who takes it; the outbox when nothing is set; also the name of that one transport
 * @param rate mails a second over all senders; 0 means no limit; when it is not set, {@link #CAUTIOUS_RATE} for SMTP and
 *     no limit for the others
 * @param ratePerMinute mails in any minute, at first; 0 means no limit, as in the next two
 * @param ratePerHour mails in any hour, at first
 * @param ratePerDay mails in any 24 hours, at first
 * @param onUnknown what a message does about unknown outcomes unless it says so itself
 * @param transports transports by name: small letters, digits and {@code -}
 * @param order names of those that take mail for which no list says otherwise, the first that can; others only stand in
 *     for lists that name them
 */
@ConfigurationProperties("azuremail.mail")
public record MailProperties(
        @Nullable Transport transport,
        @Nullable Integer rate,
        @DefaultValue("0") int ratePerMinute,
        @DefaultValue("0") int ratePerHour,
        @DefaultValue("0") int ratePerDay,
        @DefaultValue("hold") OnUnknown onUnknown,
        @DefaultValue Map<String, Named> transports,
        @DefaultValue List<String> order) {

    /** Where SMTP starts: few servers turn away who sends so little. */
    public static final int CAUTIOUS_RATE = 10;

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,39}");

    /** The adapters. */
    public enum Transport {
        /** Kept here and shown; nothing leaves. */
        OUTBOX,
        /** An SMTP server. */
        SMTP,
        /** SendGrid's Web API v3. */
        SENDGRID;

        /** As the settings have it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What becomes of mail while a limit of the transport is reached. */
    public enum WhenFull {
        /** It waits for this transport. */
        WAIT,
        /** It goes by the next one that can, unless the wait is short. */
        NEXT
    }

    /**
     * One of several transports.
     *
     * @param kind which adapter; its own settings stand beside it, under {@code smtp} or {@code sendgrid}
     * @param rate as of a single transport, and so are the next three
     * @param whenFull what becomes of mail while one of these limits is reached
     */
    public record Named(
            @Nullable Transport kind,
            @Nullable Integer rate,
            @DefaultValue("0") int ratePerMinute,
            @DefaultValue("0") int ratePerHour,
            @DefaultValue("0") int ratePerDay,
            @DefaultValue("wait") WhenFull whenFull) {}

    /**
     * A transport, whichever way it was set.
     *
     * @param perSecond what it starts with, as the next three; 0 means no limit
     */
    public record Configured(
            String name, Transport kind, int perSecond, int perMinute, int perHour, int perDay, WhenFull whenFull) {

        public Configured {
            if (perSecond < 0 || perMinute < 0 || perHour < 0 || perDay < 0) {
                throw new IllegalArgumentException(
                        "the rates of mail transport " + name + " must not be negative; 0 means no limit");
            }
        }

        private static Configured of(
                String name, Transport kind, @Nullable Integer rate, int minute, int hour, int day, WhenFull whenFull) {
            int cautious = kind == Transport.SMTP ? CAUTIOUS_RATE : 0;
            return new Configured(name, kind, rate == null ? cautious : rate, minute, hour, day, whenFull);
        }
    }

    public MailProperties {
        transports = new TreeMap<>(transports);
        if (!transports.isEmpty() && (transport != null || rate != null)) {
            throw new IllegalArgumentException("set azuremail.mail.transport and .rate for one transport, or"
                    + " azuremail.mail.transports.<name>.… for several, not both");
        }
        transports.forEach(MailProperties::require);
        order = List.copyOf(order.isEmpty() ? onlyOne(transport, transports) : order);
        requireKnown(order, transport, transports);
        all(transport, rate, ratePerMinute, ratePerHour, ratePerDay, transports);
    }

    private static void require(String name, Named named) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("a mail transport's name has small letters, digits and -, not " + name);
        }
        if (named.kind == null) {
            throw new IllegalArgumentException(
                    "azuremail.mail.transports." + name + ".kind must be outbox, smtp or sendgrid");
        }
    }

    private static List<String> onlyOne(@Nullable Transport transport, Map<String, Named> transports) {
        if (transports.size() > 1) {
            throw new IllegalArgumentException("azuremail.mail.order must say in which order mail is given to "
                    + String.join(", ", transports.keySet()));
        }
        return transports.isEmpty() ? List.of(single(transport).word()) : List.copyOf(transports.keySet());
    }

    private static void requireKnown(List<String> order, @Nullable Transport transport, Map<String, Named> transports) {
        for (String name : order) {
            boolean known = transports.isEmpty() ? name.equals(single(transport).word()) : transports.containsKey(name);
            if (!known) {
                throw new IllegalArgumentException("azuremail.mail.order names " + name
                        + ", but there is no azuremail.mail.transports." + name + ".kind");
            }
        }
    }

    private static Transport single(@Nullable Transport transport) {
        return transport == null ? Transport.OUTBOX : transport;
    }

    /** All transports: those in the order first. */
    public List<Configured> all() {
        return all(transport, rate, ratePerMinute, ratePerHour, ratePerDay, transports).stream()
                .sorted(java.util.Comparator.comparingInt(one -> place(one.name())))
                .toList();
    }

    private int place(String name) {
        int place = order.indexOf(name);
        return place < 0 ? Integer.MAX_VALUE : place;
    }

    private static List<Configured> all(
            @Nullable Transport transport,
            @Nullable Integer rate,
            int minute,
            int hour,
            int day,
            Map<String, Named> transports) {
        if (transports.isEmpty()) {
            Transport kind = single(transport);
            return List.of(Configured.of(kind.word(), kind, rate, minute, hour, day, WhenFull.WAIT));
        }
        return transports.entrySet().stream()
                .map(entry -> configured(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static Configured configured(String name, Named named) {
        return Configured.of(
                name,
                single(named.kind),
                named.rate,
                named.ratePerMinute,
                named.ratePerHour,
                named.ratePerDay,
                named.whenFull);
    }

    /** The names of all transports. */
    public List<String> names() {
        return all().stream().map(Configured::name).toList();
    }

    /** Whether mail leaves this installation. */
    public boolean leaves() {
        return all().stream().anyMatch(one -> one.kind() != Transport.OUTBOX);
    }

    /** Whether mails can be found in the outbox. */
    public boolean usesOutbox() {
        return all().stream().anyMatch(one -> one.kind() == Transport.OUTBOX);
    }
}
