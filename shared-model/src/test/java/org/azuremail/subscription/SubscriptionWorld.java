package org.azuremail.subscription;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.azuremail.field.Field;
import org.azuremail.field.FieldType;
import org.azuremail.field.IndexMark;
import org.azuremail.id.SeededIds;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.Lists;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Storage;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.subscription.ConfirmationClaims.ConfirmationItem;
import org.azuremail.subscription.ConfirmationSeals.ConfirmationLink;
import org.azuremail.subscription.Subscriptions.EditResult;
import org.azuremail.subscription.Subscriptions.SubscribeResult;
import org.azuremail.subscription.store.PersonDirectory;
import org.azuremail.subscription.store.ShardChoreIndex;
import org.azuremail.subscription.store.ShardCounts;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.template.Templates;
import org.azuremail.time.ManualTime;
import org.azuremail.work.InlineWork;

/** A list on a storage in memory, and the feature on top of it; {@link #restart()} is a new process. */
public final class SubscriptionWorld {

    public static final ListName LIST = new ListName("news");
    public static final Origin ADMIN = Origin.admin("ada@example.org");
    public static final Origin API = Origin.api("partner", "203.0.113.7");
    public static final Origin LINK = Origin.link("203.0.113.8");

    public final ManualTime time;
    public final SimulatedStorage simulated;
    public Storage storage;
    public final SeededIds ids;
    public final List<EmailAddress> departed = new ArrayList<>();
    public boolean inUse;
    public final Set<ListName> used = new TreeSet<>(Comparator.comparing(ListName::value));
    public ListStore lists;
    public SubscriptionFeature feature;

    public SubscriptionWorld() {
        this(OptIn.DOUBLE);
    }

    public SubscriptionWorld(OptIn optIn) {
        this(optIn, MailingList.DEFAULT_SHARDS);
    }

    public SubscriptionWorld(OptIn optIn, int shards) {
        time = ManualTime.thatSleepsByItself();
        simulated = new SimulatedStorage(time, 7);
        storage = simulated.storage();
        ids = new SeededIds(7);
        storage.tables().createTable(ListStore.TABLE);
        storage.tables().createTable(ShardChoreIndex.TABLE);
        storage.tables().createTable(Templates.TABLE);
        storage.tables().createTable(PersonDirectory.TABLE);
        storage.queues().createQueue(ConfirmationItem.TYPE.queue());
        restart();
        lists.create(Lists.with(list(LIST, optIn), "shards", shards));
        index(LIST);
    }

    private SubscriptionWorld(SubscriptionWorld from) {
        time = from.time;
        simulated = from.simulated.copy();
        storage = simulated.storage();
        ids = new SeededIds(8);
        restart();
    }

    /** Copies the stored data to a separate world with the same clock, for the next step of a walk. */
    public SubscriptionWorld copy() {
        return new SubscriptionWorld(this);
    }

    /** Makes the names and cities of people who are added from now on have index rows, in every test. */
    public void index(ListName list) {
        IndexMark mark = new IndexMark(1, Map.of(Field.NAME, FieldType.TEXT, "city", FieldType.TEXT));
        int shards = lists.find(list).orElseThrow().value().shards();
        for (int shard = 0; shard < shards; shard++) {
            new ShardCounts(storage.tables(), list, shard).mark(mark);
        }
    }

    public static MailingList list(ListName name, OptIn optIn) {
        return MailingList.of(
                        name,
                        "News of " + name,
                        new Mailbox(address("news@example.org"), "The News"),
                        optIn,
                        ManualTime.START)
                .withAttributes(new TreeSet<>(Set.of("city")));
    }

    public static EmailAddress address(String text) {
        return EmailAddress.parse(text).orElseThrow();
    }

    public void restart() {
        restart(simulated.storage());
    }

    /** Starts a new process whose storage may have faults. */
    public void restart(Storage itsStorage) {
        storage = itsStorage;
        lists = new ListStore(storage.tables());
        feature = SubscriptionFeature.of(
                storage,
                InlineWork.queues(storage, ConfirmationItem.TYPE),
                (list, shard, address) -> departed.add(address),
                list -> inUse || used.contains(list),
                ids,
                time);
    }

    public Subscriptions subscriptions() {
        return feature.subscriptions();
    }

    public SubscriptionStore store() {
        return feature.store();
    }

    public MailingList list() {
        return lists.find(LIST).orElseThrow().value();
    }

    public SubscribeResult subscribe(String address) {
        return subscriptions().subscribe(LIST, address(address), Profile.NONE, API);
    }

    public Subscriber subscribed(String address) {
        EditResult added =
                subscriptions().adminAdd(LIST, address(address), new Profile("Someone", Map.of()), true, ADMIN);
        return ((EditResult.Saved) added).subscriber().value();
    }

    public Versioned<Subscriber> find(String address) {
        return store().find(list(), address(address)).orElseThrow();
    }

    public Subscriber get(String address) {
        return find(address).value();
    }

    public SubscriberState state(String address) {
        return get(address).state();
    }

    /** Returns the link of a confirmation that is sent at this moment. */
    public ConfirmationLink link(String address) {
        return link(get(address));
    }

    public ConfirmationLink link(Subscriber subscriber) {
        return new ConfirmationSeals(simulated.tables(), ids, time, SubscriptionFeature.PROPERTIES).link(subscriber);
    }

    /** Returns the texts on the confirmation queue and empties it. */
    public List<String> drainQueue() {
        List<String> texts = new ArrayList<>();
        List<QueueItem> items;
        do {
            items = storage.queues().receive(ConfirmationItem.TYPE.queue(), 32, Duration.ofMinutes(1));
            items.forEach(item -> {
                texts.add(item.text());
                storage.queues().delete(ConfirmationItem.TYPE.queue(), item);
            });
        } while (!items.isEmpty());
        return texts;
    }

    /** Runs the scheduler's check of the index rows. */
    public void look() {
        Rows.all(storage.tables(), ShardChoreIndex.TABLE, KeyRange.partition(ShardChoreIndex.PARTITION))
                .forEach(row -> feature.confirmations().requeueStale(row));
    }

    public List<Row> rows(String partitionPrefix) {
        return Rows.all(
                storage.tables(),
                ListStore.TABLE,
                KeyRange.partitions(partitionPrefix, KeyRange.afterPrefix(partitionPrefix)));
    }

    public List<String> rowKeys() {
        return rows("news.").stream().map(Row::rowKey).distinct().sorted().toList();
    }

    /**
     * Checks the state that every step must leave behind: exact counts, and satellites where the marks require them.
     */
    public void checkInvariants() {
        Invariants.check(storage.tables(), list());
    }

    public TableStore tables() {
        return storage.tables();
    }
}
