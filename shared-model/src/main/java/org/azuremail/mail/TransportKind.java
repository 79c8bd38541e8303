package org.azuremail.mail;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * A way to hand mail over that settings can choose. Each bean of this type is one; nothing else needs to know it. The bean
 * exists in every process whose class path has it; {@code open} is called only in those that send, once for each transport of
 * this kind in the settings.
 *
 * @param name what {@code azuremail.mail.transport} or {@code .kind} says: small letters and digits
 * @param settings a record bound from {@code azuremail.mail.<name>}, or from {@code
 *     azuremail.mail.transports.<transport>.<name>} where there are several; what its constraints (Jakarta Validation) or its
 *     constructor refuse keeps the process from starting
 * @param startingRate mails a second over all senders until somebody changes it; 0 means no limit
 * @param open makes a transport of its settings; it does not connect yet. One that is {@link AutoCloseable} is closed when the
 *     process ends
 * @param openForTest the same for one email that a person watches: short time-outs, and the conversation is noted
 */
public record TransportKind<P>(
        String name,
        Class<P> settings,
        int startingRate,
        Function<P, MailTransport> open,
        BiFunction<P, Conversation, MailTransport> openForTest) {

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*");

    /** A test of it shows the answer and no conversation. */
    public TransportKind(String name, Class<P> settings, int startingRate, Function<P, MailTransport> open) {
        this(name, settings, startingRate, open, (account, unused) -> open.apply(account));
    }

    public TransportKind {
        if (!NAME.matcher(name).matches() || startingRate < 0) {
            throw new IllegalArgumentException("no kind of mail transport: " + name + ", " + startingRate);
        }
    }

    /** A setting of a {@link TransportKind} that is stored encrypted and never shown: a password, an API key. */
    @Target(ElementType.RECORD_COMPONENT)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface SecretSetting {}
}
