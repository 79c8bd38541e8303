package org.azuremail.subscription;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.storage.Page;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.store.PersonDirectory;
import org.azuremail.subscription.store.PersonDirectory.Entry;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Subscriber;
import org.jspecify.annotations.Nullable;

/** Finds people over all lists. */
public record People(ListStore lists, TableStore tables, SubscriptionStore store, PersonDirectory directory) {

    /**
     * Subscribers of all lists whose address begins with a text, in order of address and list. The directory says where they
     * are, the lists say whether they are there: a page may hold fewer than asked for, or nobody, and still go on.
     *
     * @param cursor of the page before; {@code null} for the first
     * @param limit 1 to 1,000
     * @throws IllegalArgumentException when the cursor is none of ours
     */
    public Page<Subscriber> beginning(String address, @Nullable String cursor, int limit) {
        Page<Entry> entries = directory.search(address, cursor, limit);
        Map<ListName, MailingList> all =
                lists.all().stream().collect(Collectors.toMap(MailingList::name, Function.identity()));
        List<Supplier<Optional<Versioned<Subscriber>>>> reads = new ArrayList<>();
        for (Entry entry : entries.items()) {
            MailingList list = all.get(entry.list());
            if (list != null) {
                reads.add(() -> store.find(list, entry.address()));
            }
        }
        List<Subscriber> there = tables.sideBySide(reads).stream()
                .flatMap(Optional::stream)
                .map(Versioned::value)
                .toList();
        return new Page<>(there, entries.continuation());
    }
}
