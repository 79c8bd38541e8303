package org.azuremail.sending;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.azuremail.mail.MailProperties.Configured;
import org.azuremail.mail.MailProperties.WhenFull;
import org.azuremail.storage.Values;

/**
 * A transport that an admin added.
 *
 * @param settings of its kind, by name, as in the settings; no secrets
 * @param secrets sealed by the {@link SecretBox}, by name
 */
public record StoredTransport(
        String name,
        String kind,
        Map<String, String> settings,
        Map<String, String> secrets,
        WhenFull whenFull,
        Instant changedAt,
        String changedBy) {

    private static final String SETTING = "Setting_";
    private static final String SECRET = "Secret_";

    public StoredTransport {
        settings = Map.copyOf(settings);
        secrets = Map.copyOf(secrets);
    }

    /** Returns the purpose for which a secret of the transport is sealed. */
    public static String purpose(String transport, String setting) {
        return "transport." + transport + "." + setting;
    }

    Configured configured() {
        return new Configured(name, kind, null, 0, 0, 0, whenFull);
    }

    static StoredTransport of(String name, Values values) {
        return new StoredTransport(
                name,
                values.requireString("Kind"),
                prefixed(values, SETTING),
                prefixed(values, SECRET),
                values.bool("WhenFullNext", false) ? WhenFull.NEXT : WhenFull.WAIT,
                values.requireInstant("ChangedAt"),
                values.string("ChangedBy", ""));
    }

    Values values() {
        Values.Builder values = Values.builder()
                .put("Kind", kind)
                .put("WhenFullNext", whenFull == WhenFull.NEXT)
                .put("ChangedAt", changedAt)
                .put("ChangedBy", changedBy);
        settings.forEach((setting, value) -> values.put(property(SETTING, setting), value));
        secrets.forEach((setting, stored) -> values.put(property(SECRET, setting), stored));
        return values.build();
    }

    /** Returns the name of a property, which must not contain hyphens. */
    private static String property(String prefix, String setting) {
        return prefix + setting.replace('-', '_');
    }

    private static Map<String, String> prefixed(Values values, String prefix) {
        Map<String, String> found = new TreeMap<>();
        values.asMap().forEach((property, value) -> {
            if (property.startsWith(prefix)) {
                String setting = property.substring(prefix.length()).replace('_', '-');
                found.put(setting.toLowerCase(Locale.ROOT), String.valueOf(value));
            }
        });
        return found;
    }

    /** Returns a text that does not contain even the sealed secrets. */
    @Override
    public String toString() {
        return "StoredTransport[" + name + ", " + kind + ", " + settings + ", secrets=" + secrets.keySet() + "]";
    }
}
