package org.azuremail.report;

import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.azuremail.blobset.InlineJobs;
import org.azuremail.blobset.SetJob;
import org.azuremail.delivery.range.DeliveryLimits;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.field.FieldStore;
import org.azuremail.id.IdSource;
import org.azuremail.id.SeededIds;
import org.azuremail.list.ListStore;
import org.azuremail.list.OptIn;
import org.azuremail.report.PeopleJob.PeopleWalk;
import org.azuremail.segment.PeopleFilters;
import org.azuremail.storage.Storage;
import org.azuremail.subscription.SubscriptionWorld;
import org.azuremail.subscription.store.SubscriptionStore;

/** A list with subscribers, and processes that create reports about it. */
abstract class OnReports {

    static final int PEOPLE = 25;

    final SubscriptionWorld world = new SubscriptionWorld(OptIn.SINGLE, 3);

    /** Returns the jobs of one process on a storage. */
    InlineJobs process(Storage storage, long seed) {
        ListStore lists = new ListStore(storage.tables());
        FieldStore fields = new FieldStore(storage.tables(), lists, world.time);
        PeopleFilters filters =
                new PeopleFilters(fields, new DeliveryStore(storage.tables(), DeliveryLimits.SHARED, nonce -> false));
        PeopleWalk walk = new PeopleWalk(lists, new SubscriptionStore(storage.tables()), filters, ZoneOffset.UTC, 3);
        List<SetJob<?, ?>> functions = List.of(new ExportJob(walk, fields, 300), new StatisticsJob(walk, null));
        return new InlineJobs(storage, world.time, ids(seed), () -> functions);
    }

    private static IdSource ids(long seed) {
        return new SeededIds(seed);
    }

    void givenPeople() {
        IntStream.range(0, PEOPLE).forEach(n -> world.subscribe("p" + n + (n < 5 ? "@example.com" : "@example.org")));
        world.subscriptions()
                .leave(SubscriptionWorld.LIST, SubscriptionWorld.address("p0@example.com"), SubscriptionWorld.LINK);
    }

    static Map<String, String> about() {
        return Map.of("list", SubscriptionWorld.LIST.value(), "columns", "city");
    }
}
