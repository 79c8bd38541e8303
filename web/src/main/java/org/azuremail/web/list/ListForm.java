package org.azuremail.web.list;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.jspecify.annotations.Nullable;
import org.springframework.validation.Errors;

/** A list as it is typed. */
record ListForm(
        @Nullable String name,
        @Nullable String description,
        @Nullable String fromEmail,
        @Nullable String fromName,
        @Nullable String replyTo,
        @Nullable String transport,
        @Nullable String optIn) {

    static final ListForm EMPTY = new ListForm("", "", "", "", "", "", "double");

    static ListForm of(MailingList list) {
        return new ListForm(
                list.name().value(),
                list.description(),
                list.fromEmail().value(),
                list.fromName(),
                list.replyTo() == null ? "" : list.replyTo().value(),
                text(list.transport()),
                list.optIn().stored());
    }

    /** The list that was typed, or empty with what is wrong beside its field. */
    Optional<MailingList> toNew(Instant now, List<String> transports, Errors errors) {
        Optional<ListName> parsed = ListName.parse(text(name));
        if (text(name).isBlank()) {
            errors.rejectValue("name", "missing", "The list needs a name.");
        } else if (parsed.isEmpty()) {
            errors.rejectValue("name", "refused", ListName.RULE);
        }
        check(transports, errors);
        return errors.hasErrors() || parsed.isEmpty()
                ? Optional.empty()
                : Optional.of(on(MailingList.of(parsed.get(), "", new Mailbox(from(), ""), OptIn.DOUBLE, now)));
    }

    /** The stored list with what was typed, or empty with what is wrong beside its field. */
    Optional<MailingList> toChanged(MailingList stored, List<String> transports, Errors errors) {
        check(transports, errors);
        return errors.hasErrors() ? Optional.empty() : Optional.of(on(stored));
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
    }

    private static void differs(String field, @Nullable String typed, @Nullable String stored, Errors errors) {
        if (!text(typed).strip().equals(text(stored))) {
            errors.rejectValue(
                    field, "current", "Current value: " + (text(stored).isEmpty() ? "(empty)" : stored));
        }
    }

    private void check(List<String> transports, Errors errors) {
        line("description", description, errors);
        line("fromName", fromName, errors);
        if (text(fromEmail).isBlank()) {
            errors.rejectValue("fromEmail", "missing", "The list needs a From address: mails come from it.");
        } else if (EmailAddress.parse(text(fromEmail)).isEmpty()) {
            errors.rejectValue("fromEmail", "refused", NOT_AN_ADDRESS);
        }
        if (!text(replyTo).isBlank() && EmailAddress.parse(text(replyTo)).isEmpty()) {
            errors.rejectValue("replyTo", "refused", NOT_AN_ADDRESS);
        }
        if (!text(transport).isBlank() && !transports.contains(text(transport).strip())) {
            errors.rejectValue(
                    "transport",
                    "unknown",
                    "There is no transport " + text(transport).strip() + " in the settings, only "
                            + String.join(", ", transports) + ".");
        }
        if (OptIn.parse(text(optIn)).isEmpty()) {
            errors.rejectValue("optIn", "missing", "Please choose how people join.");
        }
    }

    private static final String NOT_AN_ADDRESS = "This is not an e-mail address. One looks like news@example.org.";

    private static void line(String field, @Nullable String typed, Errors errors) {
        if (!MailingList.isLine(text(typed).strip())) {
            errors.rejectValue(
                    field, "refused", "Please use one line of at most " + MailingList.MAX_LINE + " characters.");
        }
    }

    private MailingList on(MailingList list) {
        return new MailingList(
                list.name(),
                text(description).strip(),
                from(),
                text(fromName).strip(),
                EmailAddress.parse(text(replyTo)).orElse(null),
                text(transport).isBlank() ? null : text(transport).strip(),
                list.language(),
                OptIn.parse(text(optIn)).orElse(list.optIn()),
                list.shards(),
                list.attributes(),
                list.createdAt(),
                list.deleting());
    }

    private EmailAddress from() {
        return EmailAddress.parse(text(fromEmail)).orElseThrow();
    }

    private static String text(@Nullable String typed) {
        return typed == null ? "" : typed;
    }
}
