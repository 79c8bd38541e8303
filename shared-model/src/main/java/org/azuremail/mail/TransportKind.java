package org.azuremail.mail;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.springframework.util.Assert;

/**
 * A kind of transport that settings can choose; each bean of this type is one. The bean exists in every process whose
 * class path contains it. {@code open} is called only in processes that send, once for each transport of this kind in
 * the settings.
 *
 * @param name the value of {@code azuremail.mail.transport} or {@code .kind}: lower-case letters and digits
 * @param settings a record bound from {@code azuremail.mail.<name>} or, with several transports, from
 *     {@code azuremail.mail.transports.<transport>.<name>}; if its constraints (Jakarta Validation) or its constructor
 *     refuse a value, the process does not start
 * @param startingRate emails a second over all senders, until an admin changes it; 0 means no limit
 * @param open creates a transport from its settings without connecting; an {@link AutoCloseable} one is closed when the
 *     process ends
 * @param openForTest creates a transport for one test email, with short time-outs and a recorded conversation
 */
public record TransportKind<P>(
        String name,
        Class<P> settings,
        int startingRate,
        Function<P, MailTransport> open,
        BiFunction<P, Conversation, MailTransport> openForTest) {

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*");

    /** Creates a kind whose test shows the answer, but no conversation. */
    public TransportKind(String name, Class<P> settings, int startingRate, Function<P, MailTransport> open) {
        this(name, settings, startingRate, open, (account, unused) -> open.apply(account));
    }

    public TransportKind {
        Assert.isTrue(
                NAME.matcher(name).matches() && startingRate >= 0,
                "no kind of mail transport: " + name + ", " + startingRate);
    }

    /**
     * Marks a setting of a {@link TransportKind} that is stored encrypted and never shown, such as a password or an API
     * key.
     */
    @Target(ElementType.RECORD_COMPONENT)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface SecretSetting {}
}
