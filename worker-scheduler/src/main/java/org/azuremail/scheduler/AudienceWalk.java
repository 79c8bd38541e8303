package org.azuremail.scheduler;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.segment.PeopleFilters.PeopleFilter;
import org.azuremail.storage.Page;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Subscriber;
import org.jspecify.annotations.Nullable;

/**
 * Walks one shard of all lists of a message at once, in order of address. Each address appears once: as a subscriber of
 * the first list on which the person is Verified, if the message is addressed to that list's subscriber. So one address
 * marks how far all lists have been read.
 */
final class AudienceWalk {

    /**
     * The next part of the audience.
     *
     * @param people the recipients, in order
     * @param read row key up to which all subscribers were read
     * @param last whether no subscriber follows
     */
    record Part(List<Subscriber> people, String read, boolean last) {}

    private final List<ListCursor> lists;
    private final PeopleFilter filter;
    private final int shard;
    private String read;

    /** @param after row key after which to begin; may be empty */
    AudienceWalk(
            SubscriptionStore subscriptions,
            List<MailingList> lists,
            PeopleFilter filter,
            int shard,
            String after,
            int page) {
        this.filter = filter;
        this.shard = shard;
        int each = Math.max(1, page / lists.size());
        this.lists = lists.stream()
                .map(list -> new ListCursor(subscriptions, list.name(), shard, each, after))
                .toList();
        this.read = after;
    }

    /** Returns the people up to the point where a list must be read further, which the next call does. */
    Part next() {
        lists.forEach(ListCursor::fill);
        List<Subscriber> people = new ArrayList<>();
        for (String next = nextRow(); next != null; next = nextRow()) {
            read = next;
            Subscriber first = null;
            for (ListCursor list : lists) {
                Subscriber here = list.take(read);
                first = first == null && here != null && here.verified() ? here : first;
            }
            if (first != null) {
                people.add(first);
            }
        }
        return new Part(filter.of(people, shard), read, lists.stream().allMatch(ListCursor::ended));
    }

    /** Returns the next row; {@code null} when a list must be read further first, and when all lists have ended. */
    private @Nullable String nextRow() {
        String least = null;
        for (ListCursor list : lists) {
            if (list.mustBeRead()) {
                return null;
            }
            String row = list.nextRow();
            least = row != null && (least == null || row.compareTo(least) < 0) ? row : least;
        }
        return least;
    }

    private record PendingSubscriber(String rowKey, Subscriber subscriber) {}

    /** The subscribers of one list that have been read but not taken yet. */
    private static final class ListCursor {

        private final SubscriptionStore subscriptions;
        private final ListName list;
        private final int shard;
        private final int page;
        private final Deque<PendingSubscriber> waiting = new ArrayDeque<>();
        private @Nullable String after;
        private boolean exhausted;

        ListCursor(SubscriptionStore subscriptions, ListName list, int shard, int page, String after) {
            this.subscriptions = subscriptions;
            this.list = list;
            this.shard = shard;
            this.page = page;
            this.after = after.isEmpty() ? null : after;
        }

        void fill() {
            if (mustBeRead()) {
                Page<Subscriber> next = subscriptions.shardPage(list, shard, after, page);
                next.items().forEach(here -> waiting.add(new PendingSubscriber(here.rowKey(), here)));
                after = next.continuation();
                exhausted = after == null;
            }
        }

        boolean mustBeRead() {
            return waiting.isEmpty() && !exhausted;
        }

        boolean ended() {
            return waiting.isEmpty() && exhausted;
        }

        @Nullable
        String nextRow() {
            PendingSubscriber next = waiting.peek();
            return next == null ? null : next.rowKey();
        }

        @Nullable
        Subscriber take(String rowKey) {
            return rowKey.equals(nextRow()) ? waiting.remove().subscriber() : null;
        }
    }
}
