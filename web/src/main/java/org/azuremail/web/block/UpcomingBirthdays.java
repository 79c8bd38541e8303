package org.azuremail.web.block;

import java.time.Instant;
import java.time.LocalDate;
import java.time.Month;
import java.time.MonthDay;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.field.Field;
import org.azuremail.field.FieldStore;
import org.azuremail.field.FieldType;
import org.azuremail.greeting.BirthdayProperties;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.storage.Page;
import org.azuremail.subscription.index.FieldIndex;
import org.azuremail.subscription.store.FieldSearch;
import org.azuremail.subscription.store.SubscriberFilter;
import org.azuremail.subscription.store.SubscriberPages;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.springframework.stereotype.Component;

/**
 * Subscribed people of all lists whose birthday is today or in the days after it. Lists take part whose field of this name
 * holds a month and day, is searchable, and is indexed. Day by day, so that no more is read than is shown.
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
    private static final SubscriberFilter BASE = new SubscriberFilter("", Set.of(SubscriberState.SUBSCRIBED));

    @Override
    public String name() {
        return "birthdays";
    }

    @Override
    public List<String> fields() {
        return List.of("birthday", "name", "email", "list");
    }

    @Override
    public List<Item> find(Instant now, int most, boolean descending) {
        List<MailingList> all = lists.all().stream().filter(this::takesPart).toList();
        List<LocalDate> days = new ArrayList<>(window(now, settings.zone()));
        if (descending) {
            Collections.reverse(days);
        }
        List<Item> found = new ArrayList<>();
        for (LocalDate day : days) {
            for (MonthDay stored : storedAs(day)) {
                all.forEach(list -> find(list, stored, day, most, found));
            }
            if (found.size() >= most) {
                break;
            }
        }
        return found;
    }

    /** Half open: today, and so many days less one after it. */
    private List<LocalDate> window(Instant now, ZoneId zone) {
        LocalDate today = LocalDate.ofInstant(now, zone);
        return today.datesUntil(today.plusDays(birthdays.days())).toList();
    }

    private List<MonthDay> storedAs(LocalDate day) {
        MonthDay own = MonthDay.from(day);
        boolean leap = !own.equals(LEAP) && birthdays.leapDay().falls(LEAP, day);
        return leap ? List.of(own, LEAP) : List.of(own);
    }

    private boolean takesPart(MailingList list) {
        if (list.deleting() || !list.attributes().contains(birthdays.field())) {
            return false;
        }
        return definitions
                .of(list)
                .find(birthdays.field())
                .filter(field -> field.type() == FieldType.MONTH_DAY)
                .filter(field -> index.state(list.name()).finds(field))
                .isPresent();
    }

    private void find(MailingList list, MonthDay stored, LocalDate day, int most, List<Item> found) {
        Field field = definitions.of(list).of(birthdays.field());
        String value = stored.atYear(2000).toString();
        FieldSearch.beginning(field, value).ifPresent(search -> {
            int before = found.size();
            String cursor = null;
            do {
                Page<Subscriber> page =
                        pages.page(list, BASE.by(search), cursor, Math.min(most, SubscriberPages.MAX_PAGE));
                page.items().forEach(person -> found.add(item(person, field, value, day)));
                cursor = page.continuation();
            } while (cursor != null && found.size() - before < most);
        });
    }

    private static Item item(Subscriber person, Field field, String value, LocalDate day) {
        Map<String, String> values = new TreeMap<>();
        String name = person.profile().name();
        values.put("birthday", field.type().shown(value, Locale.ENGLISH));
        values.put("name", name);
        values.put("who", name.isBlank() ? person.address().value() : name);
        values.put("email", person.address().value());
        values.put("list", person.list().value());
        values.put("link", Links.to(person));
        return new Item(
                values,
                Map.of(
                        "birthday", day.toString(),
                        "name", name.toLowerCase(Locale.ROOT),
                        "email", person.address().folded()));
    }
}
