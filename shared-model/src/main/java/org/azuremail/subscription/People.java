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

/** Finds people across all lists. */
public record People(ListStore lists, TableStore tables, SubscriptionStore store, PersonDirectory directory) {

    /**
     * Returns subscribers of all lists whose address begins with a text, in order of address and list. The directory
     * finds them, and each is checked with its list, so a page may be shorter than the limit, or even empty, and still
     * have a next page.
     *
     * @param cursor the cursor of the previous page; {@code null} for the first
     * @param limit 1 to 1,000
     * @throws IllegalArgumentException if the cursor is invalid
     */
    public Page<Subscriber> findByAddressPrefix(String address, @Nullable String cursor, int limit) {
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
        List<Subscriber> existing = tables.readInParallel(reads).stream()
                .flatMap(Optional::stream)
                .map(Versioned::value)
                .toList();
        return new Page<>(existing, entries.continuation());
    }
}
