package org.azuremail.web.membership;

import jakarta.servlet.http.HttpServletRequest;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.field.Field;
import org.azuremail.field.Field.FieldReason;
import org.azuremail.field.FieldStore;
import org.azuremail.field.FieldType;
import org.azuremail.field.ListFields;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.reason.Reason;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.People;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.Subscriptions.EditResult;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.template.TemplateName;
import org.azuremail.web.membership.SubscriberViews.Content;
import org.springframework.context.MessageSource;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;

/**
 * The page on which subscribers see and change their own data, protected by the secret of their unsubscribe link. An
 * old email with that link may be in other hands, so the address is masked, and so is each value that its owner cannot
 * change here.
 */
@Controller
record PreferencePages(
        ListStore lists,
        FieldStore fields,
        SubscriptionStore subscribers,
        Subscriptions subscriptions,
        People people,
        SubscriberViews pages,
        AzureMailProperties settings,
        MessageSource texts)
        implements SubscriberLinkPages {

    private static final String FIELD = "field.";
    private static final String LEAVE = "leave";
    private static final String MASK = "***";
    private static final int MAX_LISTS = 50;
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMMM yyyy", Locale.ENGLISH);

    /** A subscriber of a list, at the address to which the link was sent. */
    private record Person(MailingList list, ListFields fields, Versioned<Subscriber> row) {

        Subscriber subscriber() {
            return row.value();
        }
    }

    @GetMapping("/preferences")
    ResponseEntity<String> look(EmailLink link) {
        return page(link, () -> find(link)
                .map(person -> content(person, Map.of(), Map.of()).with("ask", "yes"))
                .orElseGet(PreferencePages::unknownLink));
    }

    @PostMapping("/preferences")
    ResponseEntity<String> save(EmailLink link, HttpServletRequest request) {
        return page(link, () -> change(link, request));
    }

    private static Content unknownLink() {
        return Content.of(TemplateName.PREFERENCES, "nobody");
    }

    private Optional<Person> find(EmailLink link) {
        return link.list()
                .flatMap(lists::findActive)
                .flatMap(list -> link.guid().flatMap(guid -> subscribers.follow(list.name(), guid)))
                .filter(SubscriptionStore.LinkOwner::sameAddress)
                .map(SubscriptionStore.LinkOwner::subscriber)
                .filter(row -> row.value().verified())
                .flatMap(row ->
                        lists.findActive(row.value().list()).map(list -> new Person(list, fields.of(list), row)));
    }

    /** Saves the form. Concurrent changes to other fields are kept. */
    private Content change(EmailLink link, HttpServletRequest request) {
        return ConditionalWrites.retry("preferences", () -> {
            Optional<Person> found = find(link);
            if (found.isEmpty()) {
                return Optional.of(unknownLink());
            }
            Person person = found.get();
            Map<String, String> typed = typed(person, request);
            Map<String, String> wrong = wrong(person.fields(), typed);
            Optional<Profile> profile = wrong.isEmpty() ? profile(person, typed) : Optional.empty();
            if (profile.isEmpty()) {
                Content again = content(person, typed, wrong).with("ask", "yes");
                return Optional.of(wrong.isEmpty() ? again.with("too-long", "yes") : again.with("wrong", "yes"));
            }
            EditResult result = subscriptions.adminEdit(
                    person.list().name(),
                    person.subscriber().address(),
                    person.row().etag(),
                    profile.get(),
                    true,
                    Origin.link(request.getRemoteAddr()));
            if (!(result instanceof EditResult.Saved saved)) {
                return Optional.empty();
            }
            leave(person, request);
            Person now = new Person(person.list(), person.fields(), saved.subscriber());
            return Optional.of(content(now, Map.of(), Map.of()).with("saved", "yes"));
        });
    }

    /** Returns the values of the form. Fields that are missing in the form stay unchanged. */
    private static Map<String, String> typed(Person person, HttpServletRequest request) {
        Map<String, String> stored = person.subscriber().profile().attributes();
        Map<String, String> typed = new LinkedHashMap<>();
        for (Field field : person.fields().fields()) {
            boolean name = field.name().equals(Field.NAME);
            String value = request.getParameter(name ? Field.NAME : FIELD + field.name());
            if (value != null && (field.changeable() || name)) {
                typed.put(field.name(), Field.keepingLineBreaks(value.strip(), stored.getOrDefault(field.name(), "")));
            }
        }
        return typed;
    }

    private static Map<String, String> wrong(ListFields fields, Map<String, String> typed) {
        Map<String, String> wrong = new TreeMap<>();
        fields.check(typed).refused().forEach((name, reason) -> wrong.put(name, reason.words()));
        String name = typed.getOrDefault(Field.NAME, "");
        if (!MailingList.isLine(name)) {
            wrong.put(
                    Field.NAME,
                    Reason.of(FieldReason.FIELD_LONG, "Name", MailingList.MAX_LINE)
                            .words());
        }
        return wrong;
    }

    private static Optional<Profile> profile(Person person, Map<String, String> typed) {
        Profile before = person.subscriber().profile();
        Map<String, String> stored = person.fields().check(typed).stored();
        Map<String, String> attributes = new TreeMap<>(before.attributes());
        typed.keySet().stream().filter(name -> !name.equals(Field.NAME)).forEach(name -> {
            attributes.remove(name);
            Optional.ofNullable(stored.get(name)).ifPresent(value -> attributes.put(name, value));
        });
        if (attributes.values().stream().mapToInt(String::length).sum() > Profile.MAX_TOTAL) {
            return Optional.empty();
        }
        return Optional.of(new Profile(typed.getOrDefault(Field.NAME, before.name()), attributes));
    }

    private void leave(Person person, HttpServletRequest request) {
        String[] wanted = request.getParameterValues(LEAVE);
        List<String> names = wanted == null ? List.of() : List.of(wanted);
        others(person).keySet().stream()
                .filter(other -> names.contains(other.list().value()))
                .forEach(
                        other -> subscriptions.leave(other.list(), other.guid(), Origin.link(request.getRemoteAddr())));
    }

    /**
     * Returns the same address's subscriptions to other lists that may be shown: the secret of one list must not reveal
     * a list that is not public.
     */
    private Map<Subscriber, MailingList> others(Person person) {
        String address = person.subscriber().address().folded();
        Map<Subscriber, MailingList> others = new LinkedHashMap<>();
        people.findByAddressPrefix(address, null, MAX_LISTS).items().stream()
                .filter(other -> other.address().folded().equals(address))
                .filter(Subscriber::verified)
                .filter(other -> !other.list().equals(person.list().name()))
                .forEach(other -> lists.findActive(other.list())
                        .filter(list -> list.brand().listed())
                        .ifPresent(list -> others.put(other, list)));
        return others;
    }

    private Content content(Person person, Map<String, String> typed, Map<String, String> wrong) {
        Subscriber subscriber = person.subscriber();
        Map<String, String> values = person.fields().shown(subscriber.profile().attributes(), Locale.ENGLISH);
        List<Map<String, String>> mine = new ArrayList<>();
        List<Map<String, String>> known = new ArrayList<>();
        for (Field field : person.fields().customFields()) {
            String value = values.getOrDefault(field.name(), "");
            if (field.changeable()) {
                mine.add(Map.of(
                        "field",
                        field.name(),
                        "label",
                        field.label(),
                        "value",
                        typed.getOrDefault(field.name(), value),
                        "options",
                        hint(field),
                        "wrong",
                        wrong.getOrDefault(field.name(), "")));
            } else if (!value.isEmpty()) {
                known.add(Map.of("label", field.label(), "value", masked(field, value)));
            }
        }
        return new Content(TemplateName.PREFERENCES, person.list(), Map.of())
                .with("address", subscriber.address().masked())
                .with(
                        "name",
                        typed.getOrDefault(Field.NAME, subscriber.profile().name()))
                .with("name-wrong", wrong.getOrDefault(Field.NAME, ""))
                .with("fields", mine)
                .with("lists", titles(person))
                .with("known", known)
                .with("since", DAY.format(subscriber.createdAt().atZone(settings.zone())))
                .with("consents", consents(subscriber));
    }

    /** Returns the allowed input: the options of a choice, or an example. */
    private String hint(Field field) {
        return field.type() == FieldType.CHOICE
                ? String.join(", ", field.options())
                : String.valueOf(texts.getMessage("preferences.hint." + field.type(), null, "", Locale.ENGLISH));
    }

    private List<Map<String, String>> titles(Person person) {
        return others(person).values().stream()
                .map(list -> Map.of(
                        "other-name",
                        list.name().value(),
                        "other-list",
                        list.description().isBlank() ? list.name().value() : list.description()))
                .toList();
    }

    private List<Map<String, String>> consents(Subscriber subscriber) {
        return subscriber.consent().declarations().stream()
                .filter(Declaration::ofThePerson)
                .map((Declaration one) -> Map.of(
                        "when",
                        DAY.format(one.at().atZone(settings.zone())),
                        "network",
                        // The network of a call is that of the program that made it.
                        one.ip() == null || one.how() == Origin.Channel.API ? "" : masked(one.ip())))
                .toList();
    }

    /** Masks a value as a whole if its first letter would reveal it. */
    private static String masked(Field field, String value) {
        boolean fewAlternatives = field.type() == FieldType.YES_NO || field.type() == FieldType.CHOICE;
        return fewAlternatives || value.codePointCount(0, value.length()) == 1 ? MASK : masked(value);
    }

    /** Masks a value so that only its owner recognises it. */
    private static String masked(String value) {
        return value.substring(0, value.offsetByCodePoints(0, 1)) + MASK;
    }
}
