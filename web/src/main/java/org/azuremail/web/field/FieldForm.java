package org.azuremail.web.field;

import static org.azuremail.web.layout.FormErrors.stripped;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.azuremail.field.Field;
import org.azuremail.field.FieldType;
import org.azuremail.field.ListFields;
import org.azuremail.id.AsciiWord;
import org.azuremail.web.layout.FormErrors;
import org.jspecify.annotations.Nullable;
import org.springframework.validation.Errors;

/**
 * A field as typed.
 *
 * @param fieldName the name of a new field; empty to derive it from the label
 * @param options the options of a choice, one in each line
 */
record FieldForm(
        @Nullable String fieldName,
        @Nullable String caption,
        @Nullable String type,
        @Nullable String options,
        @Nullable Boolean searchable,
        @Nullable Boolean changeable) {

    private static final int MAX_NAME_LENGTH = 60;

    static final FieldForm EMPTY = new FieldForm("", "", FieldType.TEXT.word(), "", false, false);

    static FieldForm of(Field field) {
        return new FieldForm(
                field.name(),
                field.label(),
                field.type().word(),
                String.join("\n", field.options()),
                field.searchable(),
                field.changeable());
    }

    /** Returns the new field; empty when it has errors, which are reported at their inputs. */
    Optional<Field> toNew(ListFields fields, Errors errors) {
        String typed = stripped(fieldName);
        String wanted = typed.isEmpty() ? derived(stripped(caption)) : AsciiWord.lower(typed);
        checkCaption(errors);
        if (!typed.isEmpty() && !Field.isFree(wanted)) {
            errors.rejectValue("fieldName", "error.field.name");
        } else if (typed.isEmpty() && !stripped(caption).isEmpty() && !Field.isFree(wanted)) {
            errors.rejectValue("fieldName", "error.field.name-missing");
        } else if (fields.find(wanted).isPresent()) {
            FormErrors.reject(errors, "fieldName", "error.field.name-taken", wanted);
        }
        return toField(wanted, errors);
    }

    /** Returns the changed field; empty when it has errors, which are reported at their inputs. */
    Optional<Field> toChanged(Field stored, Errors errors) {
        if (stored.name().equals(Field.NAME)) {
            return Optional.of(new Field(
                    stored.name(),
                    stored.label(),
                    stored.type(),
                    List.of(),
                    Boolean.TRUE.equals(searchable),
                    stored.changeable()));
        }
        checkCaption(errors);
        return toField(stored.name(), errors);
    }

    private void checkCaption(Errors errors) {
        if (stripped(caption).isEmpty()) {
            errors.rejectValue("caption", "error.field.label-missing");
        } else {
            FormErrors.line(errors, "caption", caption);
        }
    }

    /** Reports errors in the order of the inputs. */
    private Optional<Field> toField(String named, Errors errors) {
        Optional<FieldType> chosen = FieldType.parse(stripped(type));
        List<String> typed = stripped(options)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
        if (chosen.isEmpty()) {
            errors.rejectValue("type", "error.field.type");
        }
        boolean choice = chosen.filter(FieldType.CHOICE::equals).isPresent();
        if (choice && !Field.areOptions(typed)) {
            FormErrors.reject(errors, "options", "error.field.options", Field.MAX_OPTIONS, Field.MAX_OPTION);
        }
        return errors.hasErrors()
                ? Optional.empty()
                : chosen.map(kind -> new Field(
                        named,
                        stripped(caption),
                        kind,
                        choice ? typed : List.of(),
                        Boolean.TRUE.equals(searchable),
                        Boolean.TRUE.equals(changeable)));
    }

    private static String derived(String label) {
        String name = label.toLowerCase(Locale.ROOT).replaceAll("\\s+", "_").replaceAll("[^a-z0-9_-]", "");
        return name.substring(0, Math.min(MAX_NAME_LENGTH, name.length()));
    }
}
