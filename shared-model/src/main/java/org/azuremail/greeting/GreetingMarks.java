package org.azuremail.greeting;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.azuremail.greeting.BirthdayProperties.LeapDay;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Occasion;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberKeys;

/**
 * The marks of people who were greeted: the row {@code greet:<address>:<greeting>} in the subscriber's partition, with
 * the year of the day and the message. The mark is written first, under the ETag of an earlier year's mark, and the
 * email row follows. So a person is in only one message for a day, and a process that continues after a crash finds its
 * message in the mark. A mark of another message is final.
 */
public final class GreetingMarks {

    /** The most changes of address to follow. */
    private static final int MAX_MOVES = 20;

    private final TableStore tables;
    private final SubscriptionStore subscribers;
    private final PersonalDays days;

    public GreetingMarks(TableStore tables, SubscriptionStore subscribers, ZoneId zone, LeapDay leapDay) {
        this.tables = tables;
        this.subscribers = subscribers;
        this.days = new PersonalDays(zone, leapDay);
    }

    /**
     * Marks and returns the people who get the message. For a message that is not a greeting, these are all.
     *
     * @param people subscribers of one shard of the message's list, in order of address
     * @param resumed whether a process that died may have marked some of them; these are included, even if their day
     *     has changed since
     */
    public List<Subscriber> claim(Message message, int shard, List<Subscriber> people, boolean resumed) {
        Occasion occasion = message.audience().occasion();
        if (occasion == null || people.isEmpty()) {
            return people;
        }
        return new MarkWriter(message, occasion, shard).claim(people, resumed);
    }

    private record Mark(int year, MessageRef message) {

        static Mark read(Row row) {
            return new Mark(
                    row.values().integer("Year", 0), new MessageRef(row.values().requireNumber("MessageRef")));
        }

        boolean of(Message other) {
            return message.equals(other.ref());
        }
    }

    private final class MarkWriter {

        private final Message message;
        private final Occasion occasion;
        private final String partition;

        MarkWriter(Message message, Occasion occasion, int shard) {
            this.message = message;
            this.occasion = occasion;
            this.partition = SubscriberKeys.partition(message.list(), shard);
        }

        List<Subscriber> claim(List<Subscriber> people, boolean resumed) {
            Map<String, Mark> known = resumed ? marks(people) : Map.of();
            List<Subscriber> ours = new ArrayList<>();
            List<Subscriber> candidates = new ArrayList<>();
            Map<String, Integer> years = new HashMap<>();
            for (Subscriber person : people) {
                Mark mark = known.get(key(person.address()));
                if (mark != null && mark.of(message)) {
                    ours.add(person);
                } else {
                    days.findDay(occasion, person).ifPresent(day -> {
                        candidates.add(person);
                        years.put(person.rowKey(), occasion.kind().yearly() ? day.getYear() : 0);
                    });
                }
            }
            ours.addAll(claimUnmarked(candidates, years));
            ours.sort(Comparator.comparing(Subscriber::rowKey));
            return ours;
        }

        /**
         * Returns the marks of this greeting for these people; reads those of all greetings in the same range. The keys
         * of marks are not in the order of addresses: {@code a@b.co.uk:} comes before {@code a@b.co:}.
         */
        private Map<String, Mark> marks(List<Subscriber> people) {
            List<String> keys = people.stream()
                    .map(person -> SubscriberKeys.greeted(person.address().folded()))
                    .sorted()
                    .toList();
            KeyRange range = KeyRange.rows(partition, keys.get(0), KeyRange.afterPrefix(keys.get(keys.size() - 1)));
            Map<String, Mark> marks = new HashMap<>();
            Rows.stream(tables, SubscriptionStore.TABLE, range)
                    .filter(row -> row.rowKey().endsWith(":" + occasion.greeting()))
                    .forEach(row -> marks.put(row.rowKey(), Mark.read(row)));
            return marks;
        }

        private List<Subscriber> claimUnmarked(List<Subscriber> candidates, Map<String, Integer> years) {
            List<Supplier<Optional<Row>>> reads = candidates.stream()
                    .<Supplier<Optional<Row>>>map(
                            person -> () -> tables.get(SubscriptionStore.TABLE, partition, key(person.address())))
                    .toList();
            List<Optional<Row>> read = tables.readInParallel(reads);
            List<Subscriber> claimed = new ArrayList<>();
            List<Subscriber> free = new ArrayList<>();
            List<Write> writes = new ArrayList<>();
            for (int i = 0; i < candidates.size(); i++) {
                Subscriber person = candidates.get(i);
                int year = years.getOrDefault(person.rowKey(), 0);
                Optional<Mark> mark = read.get(i).map(Mark::read);
                if (mark.filter(found -> found.of(message)).isPresent()) {
                    claimed.add(person);
                } else if (mark.filter(found -> found.year() >= year).isEmpty() && !greetedBefore(person, year)) {
                    free.add(person);
                    writes.add(Write.put(
                            read.get(i),
                            key(person.address()),
                            Values.of("Year", year)
                                    .with("MessageRef", message.ref().value())));
                }
            }
            for (int from = 0; from < free.size(); from += TableStore.MAX_BATCH) {
                int to = Math.min(free.size(), from + TableStore.MAX_BATCH);
                claimed.addAll(writeMarks(free.subList(from, to), writes.subList(from, to)));
            }
            return claimed;
        }

        /**
         * Writes marks and returns the people whose marks were written. A refused mark was written by another process,
         * either for another message, or for this one if that process took over the walk.
         */
        private List<Subscriber> writeMarks(List<Subscriber> people, List<Write> marks) {
            if (tables.write(SubscriptionStore.TABLE, partition, marks).written()) {
                return people;
            }
            List<Subscriber> ours = new ArrayList<>();
            for (int i = 0; i < people.size(); i++) {
                Subscriber person = people.get(i);
                if (tables.write(SubscriptionStore.TABLE, partition, marks.get(i))
                                .written()
                        || tables.get(SubscriptionStore.TABLE, partition, key(person.address()))
                                .map(Mark::read)
                                .filter(mark -> mark.of(message))
                                .isPresent()) {
                    ours.add(person);
                }
            }
            return ours;
        }

        /**
         * Returns whether the person was greeted under an earlier address. The fan-out handles a mark of this message
         * there.
         */
        private boolean greetedBefore(Subscriber person, int year) {
            Optional<Membership> former = person.arrivedFrom();
            for (int move = 0; move < MAX_MOVES && former.isPresent(); move++) {
                if (!former.get().list().equals(message.list())) {
                    return false;
                }
                EmailAddress address = former.get().address();
                int shard = message.shardOf(address);
                boolean greeted = tables.get(
                                SubscriptionStore.TABLE, SubscriberKeys.partition(message.list(), shard), key(address))
                        .map(Mark::read)
                        .filter(mark -> mark.year() >= year && !mark.of(message))
                        .isPresent();
                if (greeted) {
                    return true;
                }
                former = subscribers
                        .find(message.list(), shard, address)
                        .map(Versioned::value)
                        .flatMap(Subscriber::arrivedFrom);
            }
            return false;
        }

        private String key(EmailAddress address) {
            return SubscriberKeys.greeted(address.folded(), occasion.greeting());
        }
    }
}
