package org.azuremail.sending;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.azuremail.mail.TransportKind;
import org.azuremail.mail.TransportKind.SecretSetting;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A setting of a kind of transport, as a form shows it.
 *
 * @param name as in the settings: {@code api-key}
 * @param preset its default; empty if it has none
 * @param choices all possible values if they are few, in lower case; otherwise empty
 */
public record SettingField(String name, Type type, boolean required, String preset, List<String> choices) {

    public enum Type {
        TEXT,
        NUMBER,
        CHOICE,
        /** Stored encrypted and never shown. */
        SECRET
    }

    /** Returns all settings of a kind, in the order of its record. */
    public static List<SettingField> of(TransportKind<?> kind) {
        return Stream.of(kind.settings().getRecordComponents())
                .map(SettingField::of)
                .toList();
    }

    private static SettingField of(RecordComponent component) {
        DefaultValue preset = component.getAnnotation(DefaultValue.class);
        boolean required = component.getAccessor().isAnnotationPresent(NotBlank.class)
                || component.getAccessor().isAnnotationPresent(NotNull.class);
        return new SettingField(
                name(component.getName()),
                type(component),
                required,
                preset == null ? "" : String.join(",", preset.value()),
                choices(component.getType()));
    }

    static String name(String camel) {
        return camel.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** A setting with the name of a secret is a secret, even if it is not marked. */
    private static Type type(RecordComponent component) {
        boolean named = component.getName().toLowerCase(Locale.ROOT).matches(".*(password|secret|token|key)");
        if (named || component.isAnnotationPresent(SecretSetting.class)) {
            return Type.SECRET;
        }
        if (!choices(component.getType()).isEmpty()) {
            return Type.CHOICE;
        }
        return component.getType() == int.class || component.getType() == long.class ? Type.NUMBER : Type.TEXT;
    }

    private static List<String> choices(Class<?> type) {
        if (type == boolean.class) {
            return List.of("true", "false");
        }
        Object[] constants = type.getEnumConstants();
        return constants == null
                ? List.of()
                : Stream.of(constants)
                        .map(constant -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT))
                        .toList();
    }
}
