package org.azuremail.scheduler;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.segment.PeopleFilter;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Subscriber;
import org.jspecify.annotations.Nullable;

/**
 * One shard of every list of a message at once, in order of address. Each address comes once: as the first list has it on which
 * the person is Verified, if the message goes to them. So one address says how far all of the lists have been read.
 */
final class AudienceWalk {

    /**
     * The next part of the audience.
     *
     * @param people to whom mails go, in order
     * @param read row key up to which everybody was read
     * @param last whether there is nobody behind
     */
    record Part(List<Subscriber> people, String read, boolean last) {}

    private final List<Ahead> lists;
    private final PeopleFilter filter;
    private final int shard;
    private String read;

    /** @param after row key behind which to begin; may be empty */
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
                .map(list -> new Ahead(subscriptions, list.name(), shard, each, after))
                .toList();
        this.read = after;
    }

    /** As far as no list needs to be read any further; that one is read on by the next call. */
    Part next() {
        lists.forEach(Ahead::fill);
        List<Subscriber> people = new ArrayList<>();
        while (lists.stream().noneMatch(Ahead::mustBeRead) && !ended()) {
            read = lists.stream()
                    .flatMap(list -> list.nextRow().stream())
                    .min(String::compareTo)
                    .orElse(read);
            Optional<Subscriber> first = Optional.empty();
            for (Ahead list : lists) {
                Optional<Subscriber> here = list.take(read).filter(Subscriber::verified);
                first = first.isPresent() ? first : here;
            }
            first.ifPresent(people::add);
        }
        return new Part(filter.of(people, shard), read, ended());
    }

    private boolean ended() {
        return lists.stream().allMatch(Ahead::ended);
    }

    /** One list's subscribers that are read and not taken yet. */
    private static final class Ahead {

        private final SubscriptionStore subscriptions;
        private final ListName list;
        private final int shard;
        private final int page;
        private final Deque<Subscriber> waiting = new ArrayDeque<>();
        private @Nullable String after;
        private boolean all;

        Ahead(SubscriptionStore subscriptions, ListName list, int shard, int page, String after) {
            this.subscriptions = subscriptions;
            this.list = list;
            this.shard = shard;
            this.page = page;
            this.after = after.isEmpty() ? null : after;
        }

        void fill() {
            if (mustBeRead()) {
                SubscriptionStore.ShardPage next = subscriptions.shardPage(list, shard, after, page);
                waiting.addAll(next.subscribers());
                after = next.lastRowKey();
                all = after == null;
            }
        }

        boolean mustBeRead() {
            return waiting.isEmpty() && !all;
        }

        boolean ended() {
            return waiting.isEmpty() && all;
        }

        Optional<String> nextRow() {
            return Optional.ofNullable(waiting.peek()).map(Subscriber::rowKey);
        }

        Optional<Subscriber> take(String rowKey) {
            return nextRow().filter(rowKey::equals).map(there -> waiting.remove());
        }
    }
}
