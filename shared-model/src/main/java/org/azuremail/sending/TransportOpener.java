package org.azuremail.sending;

import jakarta.validation.Validation;
import jakarta.validation.ValidatorFactory;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.azuremail.mail.Conversation;
import org.azuremail.mail.MailProperties;
import org.azuremail.mail.MailProperties.Configured;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.TransportKind;
import org.azuremail.mail.TransportKinds;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.validation.BindValidationException;
import org.springframework.boot.context.properties.bind.validation.ValidationBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.util.ReflectionUtils;
import org.springframework.validation.FieldError;
import org.springframework.validation.beanvalidation.SpringValidatorAdapter;

/** Creates transports from their settings, which are validated as all settings are. */
public record TransportOpener(TransportKinds kinds, MailProperties mail, Environment environment, SecretBox secrets) {

    /** The prefix under which the settings of an added transport are bound. */
    private static final String PREFIX = "added";

    /** Thrown when a secret of a transport cannot be decrypted by this process. */
    public static final class SecretUnreadable extends RuntimeException {
        SecretUnreadable(String transport) {
            super("a secret of transport " + transport + " was stored under another key");
        }
    }

    /**
     * @param stored its stored form, if an admin added it; otherwise its settings are those of this process
     * @throws SecretUnreadable when no key of this process decrypts its secrets
     * @throws RuntimeException when this process does not know its kind, or its settings are not valid
     */
    public MailTransport open(Configured one, Optional<StoredTransport> stored) {
        return open(kinds.of(one), one, stored, null);
    }

    /** Opens a transport as {@link #open} does, for a test whose conversation is recorded. */
    public MailTransport openForTest(Configured one, Optional<StoredTransport> stored, Conversation conversation) {
        return open(kinds.of(one), one, stored, conversation);
    }

    private <P> MailTransport open(
            TransportKind<P> kind,
            Configured one,
            Optional<StoredTransport> stored,
            @Nullable Conversation conversation) {
        P settings = stored.isPresent()
                ? bind(kind, binder(decryptSettings(stored.get())), PREFIX)
                : bind(kind, Binder.get(environment), mail.prefix(one) + kind.name());
        if (conversation == null) {
            return kind.open().apply(settings);
        }
        hide(kind, settings, conversation);
        return kind.openForTest().apply(settings, conversation);
    }

    /** Hides all secrets in the record of the conversation. */
    private static void hide(TransportKind<?> kind, Object settings, Conversation conversation) {
        List<SettingField> fields = SettingField.of(kind);
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).type() == SettingField.Type.SECRET) {
                Method accessor = kind.settings().getRecordComponents()[i].getAccessor();
                ReflectionUtils.makeAccessible(accessor);
                conversation.hide(Objects.toString(ReflectionUtils.invokeMethod(accessor, settings), ""));
            }
        }
    }

    private Map<String, String> decryptSettings(StoredTransport added) {
        Map<String, String> plain = new HashMap<>(added.settings());
        added.secrets()
                .forEach((setting, encrypted) -> plain.put(
                        setting,
                        secrets.open(StoredTransport.purpose(added.name(), setting), encrypted)
                                .orElseThrow(() -> new SecretUnreadable(added.name()))));
        return plain;
    }

    /**
     * Returns a setting that is not a secret, as it was set.
     *
     * @param stored the transport, if an admin added it
     */
    public Optional<String> setting(Configured one, Optional<StoredTransport> stored, String setting) {
        return stored.isPresent()
                ? Optional.ofNullable(stored.get().settings().get(setting))
                : Optional.ofNullable(environment.getProperty(mail.prefix(one) + one.kind() + "." + setting));
    }

    /** Returns whether the secrets of this transport can be decrypted by this process. */
    public boolean readable(StoredTransport stored) {
        try {
            decryptSettings(stored);
            return true;
        } catch (SecretUnreadable wrongKey) {
            return false;
        }
    }

    /**
     * @param settings all of them, secrets in the clear
     * @return names of the refused settings; an empty name if the refusal does not concern one of them
     */
    public List<String> findInvalidSettings(TransportKind<?> kind, Map<String, String> settings) {
        try {
            bind(kind, binder(settings), PREFIX);
            return List.of();
        } catch (BindException refused) {
            return refused.getCause() instanceof BindValidationException constraints
                    ? constraints.getValidationErrors().getAllErrors().stream()
                            .map(error -> error instanceof FieldError field ? SettingField.name(field.getField()) : "")
                            .distinct()
                            .toList()
                    : List.of(setting(refused.getName()));
        }
    }

    private static String setting(ConfigurationPropertyName name) {
        String text = name.toString();
        return text.startsWith(PREFIX + ".") ? text.substring(PREFIX.length() + 1) : "";
    }

    private static Binder binder(Map<String, String> plain) {
        Map<String, String> prefixed = new HashMap<>();
        plain.forEach((name, value) -> prefixed.put(PREFIX + "." + name, value));
        return new Binder(new MapConfigurationPropertySource(prefixed));
    }

    private static <P> P bind(TransportKind<P> kind, Binder binder, String prefix) {
        try (ValidatorFactory checks = Validation.buildDefaultValidatorFactory()) {
            ValidationBindHandler checked =
                    new ValidationBindHandler(new SpringValidatorAdapter(checks.getValidator()));
            return binder.bindOrCreate(prefix, Bindable.of(kind.settings()), checked);
        }
    }
}
