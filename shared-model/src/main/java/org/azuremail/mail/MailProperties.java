package org.azuremail.mail;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * The settings for sending email: either one transport ({@code transport} and the rates) or several named ones
 * ({@code transports} and {@code order}), but not both.
 *
 * @param transport the name of a {@link TransportKind}, which is also the name of this single transport; the outbox if
 *     nothing is set
 * @param rate emails a second over all senders; 0 means no limit; if it is not set, the kind's default
 * @param ratePerMinute the initial limit of emails in any minute; 0 means no limit, as in the next two
 * @param ratePerHour the initial limit of emails in any hour
 * @param ratePerDay the initial limit of emails in any 24 hours
 * @param onUnknown what to do about unknown outcomes, unless the message has its own setting
 * @param transports transports by name: lower-case letters, digits and {@code -}
 * @param order the names of the transports for emails of lists that name none; the first available one is used. Other
 *     transports send only for lists that name them
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

    /** The kind that keeps emails in the service and shows them instead of sending them. */
    public static final String OUTBOX = "outbox";

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,39}");

    /** The choices for emails while a limit of their transport is reached. */
    public enum WhenFull {
        WAIT,
        /** Use the next available transport, unless the wait is short. */
        NEXT
    }

    /**
     * One of several transports.
     *
     * @param kind the name of its {@link TransportKind}, whose settings follow under the same name
     * @param rate as for a single transport, like the next three
     * @param whenFull the choice for emails while one of these limits is reached
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

        private Configured configured(String name) {
            String known = Objects.requireNonNull(kind);
            return new Configured(name, known, rate, ratePerMinute, ratePerHour, ratePerDay, whenFull);
        }
    }

    /**
     * A transport, whether it is the only one or one of several.
     *
     * @param perSecond the initial limit, like the next three; 0 means no limit, {@code null} the default of the kind
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
        Assert.isTrue(
                transports.isEmpty() || (transport == null && rate == null),
                "set azuremail.mail.transport and .rate for one transport, or"
                        + " azuremail.mail.transports.<name>.… for several, not both");
        Map<String, Named> named = named(transport, rate, ratePerMinute, ratePerHour, ratePerDay, transports);
        named.forEach(MailProperties::require);
        Assert.isTrue(
                !order.isEmpty() || named.size() == 1,
                "azuremail.mail.order must say in which order mail is given to " + String.join(", ", named.keySet()));
        order = List.copyOf(order.isEmpty() ? named.keySet() : order);
        order.forEach(name -> Assert.isTrue(
                named.containsKey(name),
                "azuremail.mail.order names " + name + ", but there is no azuremail.mail.transports." + name
                        + ".kind"));
    }

    /** Returns the transports by name. A single transport has the name of its kind. */
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

    /**
     * Returns the name of a kind in its usual spelling: {@code SMTP} and {@code send-grid} mean {@code smtp} and
     * {@code sendgrid}.
     */
    private static @Nullable String kindOf(@Nullable String typed) {
        String kind = typed == null ? "" : typed.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
        return kind.isEmpty() ? null : kind;
    }

    private static void require(String name, Named named) {
        Assert.isTrue(
                NAME.matcher(name).matches(), "a mail transport's name has small letters, digits and -, not " + name);
        Assert.isTrue(
                named.kind != null, "azuremail.mail.transports." + name + ".kind must be set, for example to smtp");
        Assert.isTrue(
                (named.rate == null || named.rate >= 0)
                        && named.ratePerMinute >= 0
                        && named.ratePerHour >= 0
                        && named.ratePerDay >= 0,
                "the rates of mail transport " + name + " must not be negative; 0 means no limit");
    }

    /** Returns all transports, beginning with those in the order. */
    public List<Configured> all() {
        return named(transport, rate, ratePerMinute, ratePerHour, ratePerDay, transports).entrySet().stream()
                .map(entry -> entry.getValue().configured(entry.getKey()))
                .sorted(Comparator.comparingInt(one -> place(one.name())))
                .toList();
    }

    private int place(String name) {
        int place = order.indexOf(name);
        return place < 0 ? Integer.MAX_VALUE : place;
    }

    public List<String> names() {
        return all().stream().map(Configured::name).toList();
    }

    String kindSetting(Configured one) {
        return transports.isEmpty() ? "azuremail.mail.transport" : prefix(one) + "kind";
    }

    /** Returns the prefix of the settings of a transport; the name of its kind follows. */
    public String prefix(Configured one) {
        return transports.isEmpty() ? "azuremail.mail." : "azuremail.mail.transports." + one.name() + ".";
    }

    /** Returns whether no transport is set, so that the outbox receives all emails until one is added. */
    public boolean outboxByDefault() {
        return transport == null && transports.isEmpty();
    }

    public boolean sendsExternally() {
        return all().stream().anyMatch(one -> !one.kind().equals(OUTBOX));
    }

    public boolean usesOutbox() {
        return all().stream().anyMatch(one -> one.kind().equals(OUTBOX));
    }
}
