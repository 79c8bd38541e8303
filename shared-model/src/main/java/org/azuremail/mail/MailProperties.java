package org.azuremail.mail;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The way in which mail leaves: by one transport ({@code transport} and the rates), or by several with names
 * ({@code transports} and {@code order}), never both.
 *
 * @param transport the {@link TransportKind} that takes it; the outbox when nothing is set; also the name of that one transport
 * @param rate mails a second over all senders; 0 means no limit; when it is not set, what suits the kind
 * @param ratePerMinute mails in any minute, at first; 0 means no limit, as in the next two
 * @param ratePerHour mails in any hour, at first
 * @param ratePerDay mails in any 24 hours, at first
 * @param onUnknown what a message does about unknown outcomes unless it says so itself
 * @param transports transports by name: small letters, digits and {@code -}
 * @param order names of those that take mail for which no list says otherwise, the first that can; others only are in
 *     for lists that name them
 */
@ConfigurationProperties("azuremail.mail")
public record MailProperties(
        @Nullable String transport,
        @Nullable Integer rate,
        @DefaultValue("0") int ratePerMinute,
        @DefaultValue("0") int ratePerHour,
        @DefaultValue("0") int ratePerDay,
        @DefaultValue("hold") OnUnknown onUnknown,
        @DefaultValue Map<String, Named> transports,
        @DefaultValue List<String> order) {

    /** The kind that keeps mail here and shows it, so that none leaves. */
    public static final String OUTBOX = "outbox";

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,39}");

    /** The choices for emails while a limit of the transport is reached. */
    public enum WhenFull {
        WAIT,
        /** It goes by the next one that can, unless the wait is short. */
        NEXT
    }

    /**
     * One of several transports.
     *
     * @param kind name of its {@link TransportKind}; the settings of that are beside it, under the same name
     * @param rate as of a single transport, and so are the next three
     * @param whenFull what becomes of mail while one of these limits is reached
     */
    public record Named(
            @Nullable String kind,
            @Nullable Integer rate,
            @DefaultValue("0") int ratePerMinute,
            @DefaultValue("0") int ratePerHour,
            @DefaultValue("0") int ratePerDay,
            @DefaultValue("wait") WhenFull whenFull) {

        public Named {
            kind = kindOf(kind);
        }
    }

    /**
     * A transport, whichever way it was set.
     *
     * @param perSecond what it starts with, as the next three; 0 means no limit, {@code null} what suits its kind
     */
    public record Configured(
            String name,
            String kind,
            @Nullable Integer perSecond,
            int perMinute,
            int perHour,
            int perDay,
            WhenFull whenFull) {}

    public MailProperties {
        transport = kindOf(transport);
        transports = new TreeMap<>(transports);
        if (!transports.isEmpty() && (transport != null || rate != null)) {
            throw new IllegalArgumentException("set azuremail.mail.transport and .rate for one transport, or"
                    + " azuremail.mail.transports.<name>.… for several, not both");
        }
        Map<String, Named> named = named(transport, rate, ratePerMinute, ratePerHour, ratePerDay, transports);
        named.forEach(MailProperties::require);
        order = List.copyOf(order.isEmpty() ? onlyOne(named.keySet()) : order);
        requireKnown(order, named.keySet());
    }

    /** One transport has its kind as its name. */
    private static Map<String, Named> named(
            @Nullable String transport,
            @Nullable Integer rate,
            int minute,
            int hour,
            int day,
            Map<String, Named> several) {
        String kind = transport == null ? OUTBOX : transport;
        return several.isEmpty() ? Map.of(kind, new Named(kind, rate, minute, hour, day, WhenFull.WAIT)) : several;
    }

    /** As {@code SMTP} and {@code send-grid} have always meant {@code smtp} and {@code sendgrid}. */
    private static @Nullable String kindOf(@Nullable String typed) {
        String kind = typed == null ? "" : typed.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
        return kind.isEmpty() ? null : kind;
    }

    private static void require(String name, Named named) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("a mail transport's name has small letters, digits and -, not " + name);
        }
        if (named.kind == null) {
            throw new IllegalArgumentException(
                    "azuremail.mail.transports." + name + ".kind must be set, for example to smtp");
        }
        if ((named.rate != null && named.rate < 0)
                || named.ratePerMinute < 0
                || named.ratePerHour < 0
                || named.ratePerDay < 0) {
            throw new IllegalArgumentException(
                    "the rates of mail transport " + name + " must not be negative; 0 means no limit");
        }
    }

    private static List<String> onlyOne(Set<String> names) {
        if (names.size() > 1) {
            throw new IllegalArgumentException(
                    "azuremail.mail.order must say in which order mail is given to " + String.join(", ", names));
        }
        return List.copyOf(names);
    }

    private static void requireKnown(List<String> order, Set<String> names) {
        for (String name : order) {
            if (!names.contains(name)) {
                throw new IllegalArgumentException("azuremail.mail.order names " + name
                        + ", but there is no azuremail.mail.transports." + name + ".kind");
            }
        }
    }

    /** All transports: those in the order first. */
    public List<Configured> all() {
        return named(transport, rate, ratePerMinute, ratePerHour, ratePerDay, transports).entrySet().stream()
                .map(entry -> configured(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingInt(one -> place(one.name())))
                .toList();
    }

    private int place(String name) {
        int place = order.indexOf(name);
        return place < 0 ? Integer.MAX_VALUE : place;
    }

    private static Configured configured(String name, Named named) {
        return new Configured(
                name,
                Objects.requireNonNull(named.kind),
                named.rate,
                named.ratePerMinute,
                named.ratePerHour,
                named.ratePerDay,
                named.whenFull);
    }

    public List<String> names() {
        return all().stream().map(Configured::name).toList();
    }

    String kindSetting(Configured one) {
        return transports.isEmpty() ? "azuremail.mail.transport" : prefix(one) + "kind";
    }

    /** The prefix of the settings of each kind of transport; the kind's name follows. */
    public String prefix(Configured one) {
        return transports.isEmpty() ? "azuremail.mail." : "azuremail.mail.transports." + one.name() + ".";
    }

    /** Returns whether nobody set anything, so that the outbox takes the mail until a transport is added. */
    public boolean outboxByDefault() {
        return transport == null && transports.isEmpty();
    }

    public boolean leaves() {
        return all().stream().anyMatch(one -> !one.kind().equals(OUTBOX));
    }

    public boolean usesOutbox() {
        return all().stream().anyMatch(one -> one.kind().equals(OUTBOX));
    }
}
