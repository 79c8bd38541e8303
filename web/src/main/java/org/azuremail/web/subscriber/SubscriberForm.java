package org.azuremail.web.subscriber;

import static org.azuremail.web.layout.FormErrors.stripped;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.azuremail.field.Field;
import org.azuremail.field.ListFields;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.reason.Reason;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.web.layout.FormErrors;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import org.springframework.validation.BindingResult;
import org.springframework.validation.Errors;
import org.springframework.validation.FieldError;

/**
 * A subscriber as typed. The values of the list's own fields are separate fields of the form.
 *
 * @param again whether an admin explicitly chose to subscribe a person again who had unsubscribed
 * @param target the list to which the subscriber will belong; if it is missing, the list stays the same
 */
record SubscriberForm(
        @Nullable String email,
        @Nullable String name,
        @Nullable Boolean verified,
        @Nullable String target,
        @Nullable Boolean again) {

    /** The prefix of the names of the inputs for a list's own fields. */
    static final String ATTRIBUTE = "attribute.";

    /** The prefix of the ids of the inputs for a list's own fields. */
    private static final String INPUT = "attribute-";

    static SubscriberForm of(Subscriber subscriber) {
        return new SubscriberForm(
                subscriber.address().value(),
                subscriber.profile().name(),
                subscriber.verified(),
                subscriber.list().value(),
                false);
    }

    Optional<ListName> target(ListName present, Errors errors) {
        Optional<ListName> chosen = target == null || target.isBlank() ? Optional.of(present) : ListName.parse(target);
        if (chosen.isEmpty()) {
            errors.rejectValue("target", "error.subscriber.target");
        }
        return chosen;
    }

    Optional<EmailAddress> address(Errors errors) {
        return FormErrors.address(errors, "email", email);
    }

    Optional<Profile> profile(ListFields.Checked values, BindingResult errors) {
        String typed = stripped(name);
        FormErrors.line(errors, "name", typed);
        values.refused()
                .forEach((field, reason) -> errors.addError(
                        new FieldError("form", INPUT + field, null, false, null, null, sentence(reason))));
        if (values.stored().values().stream().mapToInt(String::length).sum() > Profile.MAX_TOTAL) {
            errors.reject("error.subscriber.fields-long", new Object[] {Profile.MAX_TOTAL}, null);
        }
        return errors.hasErrors() ? Optional.empty() : Optional.of(new Profile(typed, values.stored()));
    }

    /**
     * Returns the values typed into the list's own fields, without blank ones. A month and day come from two inputs.
     */
    static Map<String, String> typed(ListFields fields, MultiValueMap<String, String> sent) {
        Map<String, String> typed = new TreeMap<>();
        for (Field field : fields.customFields()) {
            String name = ATTRIBUTE + field.name();
            String value = stripped(sent.getFirst(name));
            String month = stripped(sent.getFirst(name + ".month"));
            String day = stripped(sent.getFirst(name + ".day"));
            if (!value.isEmpty()) {
                typed.put(field.name(), value);
            } else if (!month.isEmpty() || !day.isEmpty()) {
                typed.put(field.name(), month + "-" + day);
            }
        }
        return typed;
    }

    static Map<String, String> errors(ListFields.Checked values) {
        Map<String, String> errors = new TreeMap<>();
        values.refused().forEach((field, reason) -> errors.put(field, sentence(reason)));
        return errors;
    }

    private static String sentence(Reason reason) {
        return reason.words() + ".";
    }
}
