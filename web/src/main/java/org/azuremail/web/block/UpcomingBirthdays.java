package org.azuremail.web.block;

import java.time.Instant;
import java.time.LocalDate;
import java.time.Month;
import java.time.MonthDay;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.field.Field;
import org.azuremail.field.FieldStore;
import org.azuremail.field.FieldType;
import org.azuremail.field.ListFields;
import org.azuremail.greeting.BirthdayProperties;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.storage.Page;
import org.azuremail.subscription.index.FieldIndex;
import org.azuremail.subscription.store.SubscriberFilter;
import org.azuremail.subscription.store.SubscriberFilter.FieldSearch;
import org.azuremail.subscription.store.SubscriberPages;
import org.azuremail.subscription.subscriber.Subscriber;
import org.springframework.stereotype.Component;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * The people of all lists, in the states of the settings, whose birthday is today or on one of the next days. A list
 * takes part if its field of the configured name holds a month and day, is searchable, and is indexed. The search goes
 * day by day, so that it reads no more than is shown.
 */
@Component
record UpcomingBirthdays(
        ListStore lists,
        FieldStore definitions,
        FieldIndex index,
        SubscriberPages pages,
        AzureMailProperties settings,
        BirthdayProperties birthdays)
        implements Block {

    private static final MonthDay LEAP = MonthDay.of(Month.FEBRUARY, 29);

    @Override
    public String name() {
        return "birthdays";
    }

    private record Part(MailingList list, ListFields fields, Field birthday) {

        /** Returns the searchable fields other than the birthday and the name. */
        List<Field> others() {
            return fields.customFields().stream()
                    .filter(field -> field.searchable() && !field.name().equals(birthday.name()))
                    .toList();
        }
    }

    @Override
    public List<String> fields() {
        Stream<String> others =
                parts().stream().flatMap(part -> part.others().stream()).map(Field::name);
        return Stream.concat(Stream.of("birthday", "name", "email", "list"), others)
                .distinct()
                .toList();
    }

    /** Returns false, so that today is first. */
    @Override
    public boolean largestFirst() {
        return false;
    }

    @Override
    public List<Item> find(Instant now, int max, boolean descending) {
        List<Part> parts = parts();
        // The end is exclusive, because today is one of the days.
        LocalDate today = LocalDate.ofInstant(now, settings.zone());
        List<LocalDate> days = new ArrayList<>(
                today.datesUntil(today.plusDays(birthdays.days())).toList());
        if (descending) {
            Collections.reverse(days);
        }
        List<Item> found = new ArrayList<>();
        for (LocalDate day : days) {
            for (MonthDay stored : storedAs(day)) {
                parts.forEach(part -> find(part, stored, day, max, found));
            }
            if (found.size() >= max) {
                break;
            }
        }
        return found;
    }

    private List<MonthDay> storedAs(LocalDate day) {
        MonthDay own = MonthDay.from(day);
        boolean leap = !own.equals(LEAP) && birthdays.leapDay().fallsOn(LEAP, day);
        return leap ? List.of(own, LEAP) : List.of(own);
    }

    private List<Part> parts() {
        return lists.active().stream().flatMap(list -> part(list).stream()).toList();
    }

    private Optional<Part> part(MailingList list) {
        if (!list.attributes().contains(birthdays.field())) {
            return Optional.empty();
        }
        ListFields fields = definitions.of(list);
        return fields.find(birthdays.field())
                .filter(field -> field.type() == FieldType.MONTH_DAY)
                .filter(field -> index.state(list.name()).canSearch(field))
                .map(field -> new Part(list, fields, field));
    }

    private void find(Part part, MonthDay stored, LocalDate day, int max, List<Item> found) {
        String value = stored.atYear(2000).toString();
        SubscriberFilter base = new SubscriberFilter("", birthdays.states());
        FieldSearch.beginning(part.birthday(), value).ifPresent(search -> {
            int before = found.size();
            String cursor = null;
            do {
                Page<Subscriber> page =
                        pages.page(part.list(), base.by(search), cursor, Math.min(max, SubscriberPages.MAX_PAGE));
                page.items().forEach(person -> found.add(item(part, person, value, day)));
                cursor = page.continuation();
            } while (cursor != null && found.size() - before < max);
        });
    }

    private static Item item(Part part, Subscriber person, String value, LocalDate day) {
        Map<String, String> values = new TreeMap<>();
        Map<String, String> sortable = new TreeMap<>();
        part.others().forEach(field -> {
            String other = person.profile().attributes().getOrDefault(field.name(), "");
            values.put(field.name(), field.type().shown(other, Locale.ENGLISH));
            sortable.put(field.name(), field.type().sortable(other).orElse(""));
        });
        String name = person.profile().name();
        String address = person.address().value();
        values.put("birthday", part.birthday().type().shown(value, Locale.ENGLISH));
        values.put("name", name);
        values.put("who", name.isBlank() ? address : name);
        values.put("email-beside-name", name.isBlank() ? "" : address);
        values.put("email", address);
        values.put("list", person.list().value());
        values.put(
                "link",
                UriComponentsBuilder.fromPath("/subscribers/details")
                        .queryParam("list", "{list}")
                        .queryParam("email", "{email}")
                        .encode()
                        .buildAndExpand(person.list().value(), address)
                        .toUriString());
        sortable.put("birthday", day.toString());
        sortable.put("name", name.toLowerCase(Locale.ROOT));
        sortable.put("email", person.address().folded());
        return new Item(values, sortable);
    }
}
