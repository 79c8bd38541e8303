package org.azuremail.web.subscriber;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import org.springframework.validation.Errors;

/**
 * A subscriber as typed; what the list knows beside address and name stands in fields of its own.
 *
 * @param again that who left is to be subscribed again, said on purpose
 * @param target the list on which the subscriber shall be; where it is missing they stay
 */
record SubscriberForm(
        @Nullable String email,
        @Nullable String name,
        @Nullable Boolean verified,
        @Nullable String target,
        @Nullable Boolean again) {

    /** A box that is not ticked is not sent. */
    SubscriberForm {
        verified = Boolean.TRUE.equals(verified);
        again = Boolean.TRUE.equals(again);
    }

    /** Before the name of a list's own field. */
    static final String ATTRIBUTE = "attribute.";

    static SubscriberForm of(Subscriber subscriber) {
        return new SubscriberForm(
                subscriber.address().value(),
                subscriber.profile().name(),
                subscriber.verified(),
                subscriber.list().value(),
                false);
    }

    /** The list to be on, or empty with what is wrong beside the field. */
    Optional<ListName> target(ListName present, Errors errors) {
        Optional<ListName> chosen = target == null || target.isBlank() ? Optional.of(present) : ListName.parse(target);
        if (chosen.isEmpty()) {
            errors.rejectValue("target", "refused", "There is no such list. Please choose one.");
        }
        return chosen;
    }

    /** The address, or empty with what is wrong beside the field. */
    Optional<EmailAddress> address(Errors errors) {
        Optional<EmailAddress> address = EmailAddress.parse(email == null ? "" : email);
        if (address.isEmpty()) {
            errors.rejectValue("email", "refused", "This is not an e-mail address. One looks like ann@example.org.");
        }
        return address;
    }

    /** What is known about the person, or empty with what is wrong beside the field. */
    Optional<Profile> profile(Map<String, String> attributes, Errors errors) {
        String typed = name == null ? "" : name.strip();
        if (!MailingList.isLine(typed)) {
            errors.rejectValue(
                    "name", "refused", "Please use one line of at most " + MailingList.MAX_LINE + " characters.");
        }
        attributes.forEach((field, value) -> {
            if (value.length() > Profile.MAX_VALUE) {
                errors.reject(
                        "refused",
                        "The field " + field + " is longer than " + Profile.MAX_VALUE
                                + " characters. Please shorten it.");
            }
        });
        return errors.hasErrors() ? Optional.empty() : Optional.of(new Profile(typed, attributes));
    }

    /** What was typed into the list's own fields; blank ones are left out. */
    static Map<String, String> attributes(MailingList list, MultiValueMap<String, String> sent) {
        Map<String, String> typed = new TreeMap<>();
        for (String attribute : list.attributes()) {
            String value = sent.getFirst(ATTRIBUTE + attribute);
            if (value != null && !value.isBlank()) {
                typed.put(attribute, value.strip());
            }
        }
        return typed;
    }
}
