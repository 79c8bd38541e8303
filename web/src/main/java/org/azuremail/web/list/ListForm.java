package org.azuremail.web.list;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.azuremail.limit.Limits;
import org.azuremail.list.Brand;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.mailclass.Plan;
import org.azuremail.web.layout.FieldLabel;
import org.azuremail.web.sending.LimitForm;
import org.jspecify.annotations.Nullable;
import org.springframework.context.support.DefaultMessageSourceResolvable;
import org.springframework.validation.Errors;

/** A list as it is typed. */
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

    /** A box that is not ticked is not sent. */
    ListForm {
        welcome = String.valueOf(Boolean.parseBoolean(welcome));
        listed = String.valueOf(Boolean.parseBoolean(listed));
    }

    /** The field beside which the faults of an uploaded logo are shown; the file itself is no part of the form. */
    public String getLogo() {
        return "";
    }

    private static final String NO_PLAN = "none";

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

    /** The list that was typed, or empty with what is wrong beside its field. */
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

    /** The stored list with what was typed, or empty with what is wrong beside its field. */
    Optional<MailingList> toChanged(MailingList stored, List<String> transports, Errors errors) {
        check(transports, errors);
        return errors.hasErrors() ? Optional.empty() : Optional.of(on(stored, errors));
    }

    /** Puts the stored value beside every field that differs from what was typed. */
    void showCurrent(MailingList current, Errors errors) {
        ListForm stored = of(current);
        differs("description", description, stored.description, errors);
        differs("fromEmail", fromEmail, stored.fromEmail, errors);
        differs("fromName", fromName, stored.fromName, errors);
        differs("replyTo", replyTo, stored.replyTo, errors);
        differs("transport", transport, stored.transport, errors);
        differs("optIn", optIn, stored.optIn, errors);
        differs("plan", plan, stored.plan, errors);
        differs("minute", minute, stored.minute, errors);
        differs("hour", hour, stored.hour, errors);
        differs("color", color, stored.color, errors);
        differs("address", address, stored.address, errors);
        ticked("welcome", welcome, stored.welcome, errors);
        ticked("listed", listed, stored.listed, errors);
        differs("language", language, stored.language, errors);
    }

    private static void differs(String field, @Nullable String typed, @Nullable String stored, Errors errors) {
        if (!text(typed).strip().equals(text(stored))) {
            errors.rejectValue(field, "current", new Object[] {text(stored)}, null);
        }
    }

    private static void ticked(String field, @Nullable String typed, @Nullable String stored, Errors errors) {
        if (!Objects.equals(typed, stored)) {
            boolean ticked = "true".equals(stored);
            Object now = new DefaultMessageSourceResolvable(ticked ? "word.yes" : "word.no");
            errors.rejectValue(field, "current", new Object[] {now}, null);
        }
    }

    private void check(List<String> transports, Errors errors) {
        line("description", description, errors);
        line("fromName", fromName, errors);
        line("address", address, errors);
        if (text(fromEmail).isBlank()) {
            errors.rejectValue("fromEmail", "error.list.from-missing");
        } else if (EmailAddress.parse(text(fromEmail)).isEmpty()) {
            errors.rejectValue("fromEmail", "error.address");
        }
        if (!text(replyTo).isBlank() && EmailAddress.parse(text(replyTo)).isEmpty()) {
            errors.rejectValue("replyTo", "error.address");
        }
        if (!text(transport).isBlank() && !transports.contains(text(transport).strip())) {
            errors.rejectValue(
                    "transport",
                    "error.list.transport",
                    new Object[] {text(transport).strip(), String.join(", ", transports)},
                    null);
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

    private static void line(String field, @Nullable String typed, Errors errors) {
        if (!MailingList.isLine(text(typed).strip())) {
            errors.rejectValue(field, "error.line", new Object[] {MailingList.MAX_LINE, FieldLabel.of(field)}, null);
        }
    }

    private MailingList on(MailingList list, Errors errors) {
        return new MailingList(
                list.name(),
                text(description).strip(),
                from(),
                text(fromName).strip(),
                EmailAddress.parse(text(replyTo)).orElse(null),
                text(transport).isBlank() ? null : text(transport).strip(),
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

    private static String text(@Nullable String typed) {
        return typed == null ? "" : typed;
    }
}
