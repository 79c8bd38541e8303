package org.azuremail.sending;

import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The key under which passwords and API keys of transports are stored.
 *
 * @param key 256 bits in Base64; if it is not set, a file in the data directory of the embedded storage is used
 * @param oldKeys earlier keys, which still decrypt what was stored under them
 */
@ConfigurationProperties("azuremail.secrets")
public record SecretProperties(
        @Nullable String key, @DefaultValue List<String> oldKeys) {

    private static final int BYTES = 32;

    public SecretProperties {
        key = key == null || key.isBlank() ? null : key.strip();
        oldKeys = oldKeys.stream()
                .map(String::strip)
                .filter(old -> !old.isEmpty())
                .toList();
        if (key != null) {
            bytes(key, "azuremail.secrets.key");
        }
        oldKeys.forEach(old -> bytes(old, "azuremail.secrets.old-keys"));
    }

    /** @throws IllegalArgumentException when the text is not a key; the message does not repeat it */
    static byte[] bytes(String base64, String setting) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException notBase64) {
            bytes = new byte[0];
        }
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException(
                    setting + " must be 32 random bytes in Base64, as 'openssl rand -base64 32' prints them");
        }
        return bytes;
    }

    /** Returns a text that does not contain the keys. */
    @Override
    public String toString() {
        return "SecretProperties[key " + (key == null ? "not set" : "set") + ", " + oldKeys.size() + " old keys]";
    }
}
