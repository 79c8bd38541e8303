package org.azuremail.report;

import java.io.IOException;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.azuremail.blobset.BlobSet;
import org.azuremail.blobset.SetJob;
import org.azuremail.blobset.SetJobs;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.segment.PeopleFilters;
import org.azuremail.segment.PeopleFilters.PeopleFilter;
import org.azuremail.segment.PeopleJobParameters;
import org.azuremail.storage.Page;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.work.queue.TextCodec;
import org.jspecify.annotations.Nullable;

/** A job over the people of a list or a segment, shard by shard. */
interface PeopleJob<R> extends SetJob<PeopleJob.ListPart, R> {

    PeopleWalk walk();

    record ListPart(String list, int shard) {}

    @Override
    default TextCodec<ListPart> values() {
        return TextCodec.json(ListPart.class);
    }

    /** Limits a piece to one shard, which is walked in several steps. */
    @Override
    default int pieceSize() {
        return 1;
    }

    @Override
    default void fill(BlobSet<ListPart> set, Map<String, String> about) throws SetJob.Failure {
        MailingList list = walk().require(about.getOrDefault(SetJobs.LIST, ""));
        for (int shard = 0; shard < list.shards(); shard++) {
            set.put(
                    String.format(Locale.ROOT, "%04d", shard),
                    new ListPart(list.name().value(), shard));
        }
    }

    /**
     * Reads the people of a shard for a step of a job, either all of them or those of a segment.
     *
     * @param page the number of people to read at once
     */
    record PeopleWalk(ListStore lists, SubscriptionStore subscribers, PeopleFilters filters, ZoneId zone, int page) {

        /** Processes people, and returns whether the step has room for more. */
        @FunctionalInterface
        interface PageConsumer {
            boolean accept(List<Subscriber> people) throws IOException;
        }

        /**
         * The progress of a step.
         *
         * @param next where the next step begins; {@code null} at the end of the shard
         * @param read the number of people who were read
         */
        record WalkProgress(@Nullable String next, long read) {}

        WalkProgress walk(SetJob.Piece piece, MailingList list, int shard, PageConsumer consumer) throws IOException {
            String rules = piece.about().get(PeopleJobParameters.RULES);
            Optional<PeopleFilter> filter =
                    Optional.ofNullable(rules).map(text -> filters.of(text, list, piece.startedAt(), zone));
            String after = piece.next();
            long read = 0;
            boolean room = true;
            while (room) {
                Page<Subscriber> some = subscribers.shardPage(list.name(), shard, after, page);
                List<Subscriber> people = some.items();
                read += people.size();
                after = some.continuation();
                room = consumer.accept(
                                filter.map(rule -> rule.of(people, shard)).orElse(people))
                        && after != null;
            }
            return new WalkProgress(after, read);
        }

        /** @throws SetJob.Failure if the list does not exist or is being deleted */
        MailingList require(String name) throws SetJob.Failure {
            return ListName.parse(name)
                    .flatMap(lists::findActive)
                    .orElseThrow(() -> new SetJob.Failure(Reason.of(ReasonCode.LIST_GONE, name)));
        }
    }
}
