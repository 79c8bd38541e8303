package org.azuremail.web.sending;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.azuremail.limit.Limits;
import org.azuremail.mail.TransportKind;
import org.azuremail.mail.TransportKinds;

/**
 * A usual provider, with the values that its form contains at first. Its texts are {@code sending.preset.<code>} and
 * {@code .hint} in messages.properties. A kind from a custom jar is a preset without texts.
 *
 * @param code the code in addresses and texts
 * @param settings the settings of the kind, by name
 * @param limits the provider's default limits, or the kind's own
 * @see <a href="https://docs.aws.amazon.com/ses/latest/dg/smtp-connect.html">Amazon SES</a>
 * @see <a href="https://documentation.mailgun.com/docs/mailgun/user-manual/sending-messages/send-smtp">Mailgun</a>
 * @see <a href="https://postmarkapp.com/developer/user-guide/send-email-with-smtp">Postmark</a>
 * @see <a href="https://support.google.com/a/answer/2956491">Google Workspace</a>
 * @see <a
 *     href="https://learn.microsoft.com/exchange/mail-flow-best-practices/how-to-set-up-a-multifunction-device-or-application-to-send-email-using-microsoft-365-or-office-365">Microsoft
 *     365</a>
 */
record Preset(String code, String kind, Map<String, String> settings, Limits limits) {

    private static final List<Preset> USUAL = List.of(
            smtp("own-server", Map.of(), Limits.perSecond(10)),
            new Preset("sendgrid", "sendgrid", Map.of(), Limits.NONE),
            smtp("ses", tls("email-smtp.eu-west-1.amazonaws.com"), Limits.perSecond(1)),
            smtp("mailgun", tls("smtp.mailgun.org"), Limits.perSecond(10)),
            smtp("postmark", tls("smtp.postmarkapp.com"), Limits.perSecond(10)),
            smtp("google", tls("smtp-relay.gmail.com"), new Limits(10, 0, 0, 10_000)),
            smtp("microsoft", tls("smtp.office365.com"), new Limits(0, 30, 0, 10_000)),
            new Preset("outbox", "outbox", Map.of(), Limits.NONE));

    private static Preset smtp(String code, Map<String, String> settings, Limits limits) {
        return new Preset(code, "smtp", settings, limits);
    }

    private static Map<String, String> tls(String host) {
        return Map.of("host", host, "port", "587", "starttls", "on");
    }

    /** Returns the presets whose kinds this process can open, and one for each other kind that it knows. */
    static List<Preset> all(TransportKinds kinds) {
        List<Preset> usual =
                USUAL.stream().filter(one -> kinds.find(one.kind()).isPresent()).toList();
        Stream<Preset> others = kinds.all().stream()
                .filter(kind -> usual.stream().noneMatch(one -> one.kind().equals(kind.name())))
                .map(Preset::of);
        return Stream.concat(usual.stream(), others).toList();
    }

    private static Preset of(TransportKind<?> kind) {
        return new Preset(kind.name(), kind.name(), Map.of(), Limits.perSecond(kind.startingRate()));
    }
}
