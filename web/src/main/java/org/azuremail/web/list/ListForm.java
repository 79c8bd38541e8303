package org.azuremail.web.list;

import static org.azuremail.web.layout.FormErrors.stripped;
import static org.azuremail.web.layout.FormErrors.text;

import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.azuremail.limit.Limits;
import org.azuremail.list.Brand;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.mailclass.Plan;
import org.azuremail.web.layout.FormErrors;
import org.azuremail.web.sending.LimitForm;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.validation.Errors;

/** A list as typed. */
record ListForm(
        @Nullable String name,
        @Nullable String description,
        @Nullable String fromEmail,
        @Nullable String fromName,
        @Nullable String replyTo,
        @Nullable String transport,
        @Nullable String optIn,
        @Nullable String plan,
        @Nullable String minute,
        @Nullable String hour,
        @Nullable String color,
        @Nullable String address,
        @Nullable String welcome,
        @Nullable String listed,
        @Nullable String language) {

    /** Browsers do not send a box that is not ticked. */
    ListForm {
        welcome = String.valueOf(Boolean.parseBoolean(welcome));
        listed = String.valueOf(Boolean.parseBoolean(listed));
    }

    /**
     * Returns the value of the field at which errors in a logo are shown. The uploaded file is not part of the form.
     */
    public String getLogo() {
        return "";
    }

    private static final String NO_PLAN = "none";
    private static final Set<String> BOXES = Set.of("welcome", "listed");

    static final ListForm EMPTY = new ListForm(
            "", "", "", "", "", "", "double", NO_PLAN, "", "", "", "", "false", "false", MailingList.DEFAULT_LANGUAGE);

    static ListForm of(MailingList list) {
        return new ListForm(
                list.name().value(),
                list.description(),
                list.fromEmail().value(),
                list.fromName(),
                list.replyTo() == null ? "" : list.replyTo().value(),
                text(list.transport()),
                list.optIn().stored(),
                list.plan() == null ? NO_PLAN : list.plan().stored(),
                LimitForm.typed(list.limits().perMinute()),
                LimitForm.typed(list.limits().perHour()),
                text(list.brand().color()),
                text(list.brand().address()),
                String.valueOf(list.welcome()),
                String.valueOf(list.brand().listed()),
                list.language());
    }

    /** Returns the list that was typed; empty when it has errors, which are reported at their fields. */
    Optional<MailingList> toNew(Instant now, List<String> transports, Errors errors) {
        Optional<ListName> parsed = ListName.parse(text(name));
        if (text(name).isBlank()) {
            errors.rejectValue("name", "error.list.name-missing");
        } else if (parsed.isEmpty()) {
            errors.rejectValue("name", "error.list.name");
        }
        check(transports, errors);
        return errors.hasErrors() || parsed.isEmpty()
                ? Optional.empty()
                : Optional.of(on(MailingList.of(parsed.get(), "", new Mailbox(from(), ""), OptIn.DOUBLE, now), errors));
    }

    /**
     * Returns the stored list with the typed values; empty when they have errors, which are reported at their fields.
     */
    Optional<MailingList> toChanged(MailingList stored, List<String> transports, Errors errors) {
        check(transports, errors);
        return errors.hasErrors() ? Optional.empty() : Optional.of(on(stored, errors));
    }

    /** Shows the stored value at each field whose typed value differs from it. */
    void showCurrent(MailingList current, Errors errors) {
        DirectFieldAccessor stored = new DirectFieldAccessor(of(current));
        DirectFieldAccessor typed = new DirectFieldAccessor(this);
        for (RecordComponent component : ListForm.class.getRecordComponents()) {
            String field = component.getName();
            String now = text((String) stored.getPropertyValue(field));
            String here = text((String) typed.getPropertyValue(field));
            if (BOXES.contains(field)) {
                FormErrors.current(errors, field, Boolean.parseBoolean(now), Boolean.parseBoolean(here));
            } else if (!field.equals("name")) {
                FormErrors.current(errors, field, now, here.strip());
            }
        }
    }

    private void check(List<String> transports, Errors errors) {
        FormErrors.line(errors, "description", description);
        FormErrors.line(errors, "fromName", fromName);
        FormErrors.line(errors, "address", address);
        if (text(fromEmail).isBlank()) {
            errors.rejectValue("fromEmail", "error.list.from-missing");
        } else if (EmailAddress.parse(text(fromEmail)).isEmpty()) {
            errors.rejectValue("fromEmail", "error.address");
        }
        if (!text(replyTo).isBlank() && EmailAddress.parse(text(replyTo)).isEmpty()) {
            errors.rejectValue("replyTo", "error.address");
        }
        if (!text(transport).isBlank() && !transports.contains(stripped(transport))) {
            FormErrors.reject(
                    errors, "transport", "error.list.transport", stripped(transport), String.join(", ", transports));
        }
        if (!text(color).isBlank() && Brand.color(text(color)).isEmpty()) {
            errors.rejectValue("color", "error.list.color");
        }
        if (MailingList.language(text(language)).isEmpty()) {
            errors.rejectValue("language", "error.list.language");
        }
        if (OptIn.parse(text(optIn)).isEmpty()) {
            errors.rejectValue("optIn", "error.list.opt-in");
        }
        if (plan != null && !plan.equals(NO_PLAN) && Plan.parse(plan).isEmpty()) {
            errors.rejectValue("plan", "error.list.plan");
        }
        limits(Limits.NONE, errors);
    }

    private Limits limits(Limits stored, Errors errors) {
        return new Limits(
                0,
                minute == null ? stored.perMinute() : LimitForm.number("minute", minute, errors),
                hour == null ? stored.perHour() : LimitForm.number("hour", hour, errors),
                0);
    }

    private MailingList on(MailingList list, Errors errors) {
        return new MailingList(
                list.name(),
                stripped(description),
                from(),
                stripped(fromName),
                EmailAddress.parse(text(replyTo)).orElse(null),
                text(transport).isBlank() ? null : stripped(transport),
                language == null
                        ? list.language()
                        : MailingList.language(language).orElse(list.language()),
                OptIn.parse(text(optIn)).orElse(list.optIn()),
                list.shards(),
                list.attributes(),
                list.createdAt(),
                plan == null ? list.plan() : Plan.parse(plan).orElse(null),
                limits(list.limits(), errors),
                list.brand()
                        .withColor(Brand.color(text(color)).orElse(null))
                        .withAddress(text(address))
                        .withListed(Boolean.parseBoolean(listed)),
                Boolean.parseBoolean(welcome),
                list.deleting());
    }

    private EmailAddress from() {
        return EmailAddress.parse(text(fromEmail)).orElseThrow();
    }
}
