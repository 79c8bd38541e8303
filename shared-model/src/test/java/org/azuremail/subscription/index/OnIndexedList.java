package org.azuremail.subscription.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.azuremail.app.Wiring;
import org.azuremail.blobset.InlineJobs;
import org.azuremail.blobset.SetJobs;
import org.azuremail.field.Field;
import org.azuremail.field.FieldStore;
import org.azuremail.field.FieldType;
import org.azuremail.field.IndexMark;
import org.azuremail.field.ListFields;
import org.azuremail.list.OptIn;
import org.azuremail.storage.Row;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.subscription.SubscriptionWorld;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.azuremail.work.signal.Signals;
import org.junit.jupiter.api.BeforeEach;

/** A list of four people whose attributes are text and not indexed, and a process that indexes it. */
abstract class OnIndexedList {
    static final Field BIRTHDAY = new Field("birthday", "Birthday", FieldType.MONTH_DAY, List.of(), true, true);

    SubscriptionWorld world;

    @BeforeEach
    void aListWhoseAttributesAreTextAndNotIndexed() {
        world = new SubscriptionWorld(OptIn.DOUBLE, 2);
        world.lists.addAttributes(LIST, new TreeSet<>(List.of("birthday", "hobby")));
        add("ann@example.org", "29 Feb");
        add("bob@example.org", "1987-05-17");
        add("cy@example.org", "in spring");
        add("dee@example.org", "");
    }

    /** Runs an action once, right before a numbered call. */
    final class Once implements CallHook {

        private final long at;
        private final Runnable what;
        private boolean happened;

        Once(long at, Runnable what) {
            this.at = world.simulated.calls() + at;
            this.what = what;
            world.simulated.hook(this);
        }

        @Override
        public void before(Call call) {
            if (!happened && call.number() >= at) {
                happened = true;
                what.run();
            }
        }

        /** @return whether the action has run */
        boolean ends() {
            world.simulated.hook(CallHook.NONE);
            return happened;
        }
    }

    InlineJobs process() {
        return new InlineJobs(world.storage, world.time, world.ids, () -> List.of(parts().get(IndexJob.class)));
    }

    FieldIndex index() {
        return parts().get(FieldIndex.class);
    }

    private Wiring parts() {
        Wiring wiring = new Wiring("storage", "subscription", "subscription.index");
        wiring.give(world.storage);
        wiring.give(world.lists);
        wiring.give(world.feature.writer());
        wiring.give(process().jobs());
        wiring.give(Signals.NONE);
        wiring.give(world.time);
        return wiring;
    }

    FieldStore store() {
        return new FieldStore(world.tables(), world.lists, world.time);
    }

    ListFields fields() {
        return store().of(world.list());
    }

    IndexState state() {
        return index().state(LIST);
    }

    void save(UnaryOperator<ListFields> change) {
        FieldIndex index = index();
        var seen = store().find(world.list());
        index.save(world.list(), change.apply(seen.value()), seen.etag());
    }

    List<SetJobs.Status> jobs() {
        return process().jobs().latest(100, null).items();
    }

    void finishJobs() {
        InlineJobs process = process();
        jobs().forEach(job -> process.finish(job.id()));
    }

    /** Runs the service and all jobs. */
    void run() {
        try {
            parts().get(FieldIndexService.class).run();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        finishJobs();
    }

    void add(String email, String birthday) {
        Profile profile = new Profile(
                "", birthday.isEmpty() ? Map.of("hobby", "chess") : Map.of("birthday", birthday, "hobby", "chess"));
        world.subscriptions().adminAdd(LIST, address(email), profile, true, ADMIN);
    }

    String partition(String email) {
        return SubscriberKeys.partition(LIST, world.list().shardOf(address(email)));
    }

    List<String> indexed(String field) {
        return world.rows("news.").stream()
                .map(Row::rowKey)
                .filter(key -> key.startsWith("ix:" + field + ":"))
                .sorted()
                .toList();
    }

    void everythingIsInLine(String where) {
        world.checkInvariants();
        IndexMark wanted = fields().index();
        assertThat(state().ready()).as(where).isEqualTo(wanted);
        assertThat(state().run()).as(where).isNull();
        world.rows("news.").stream()
                .filter(row -> row.rowKey().startsWith(SubscriberKeys.EMAIL))
                .forEach(row -> {
                    assertThat(IndexMark.read(row.values().string("Indexed")))
                            .as(where)
                            .isEqualTo(wanted);
                });
    }

    void edit(String email, Map<String, String> attributes) {
        world.subscriptions()
                .adminEdit(LIST, address(email), world.find(email).etag(), new Profile("", attributes), true, ADMIN);
    }

    String value(String email) {
        return world.get(email).profile().attributes().getOrDefault("birthday", "");
    }
}
